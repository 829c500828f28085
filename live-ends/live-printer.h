/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIVE_PRINTER_H
#define LIVE_PRINTER_H

#include "live-end.h"
#include "model/tcp/configured-tcp-factory.h"
#include "print-job/print-server.h"

#include <map>

namespace ns3::study
{

/// The device of print-job, which tells what it prints.
class LivePrinter : public LiveEnd
{
  public:
    void AddParameters(ParameterSet& parameters) const override;
    void Install(const ParameterSet& parameters, Ptr<Node> node) override;
    JsonObject Describe() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// A host has connected.
    void Accepted(Ptr<Socket> socket);
    /// The port has taken octets of a file; null when the file has come whole.
    void Printed(Ptr<Socket> socket, Ptr<const Packet> octets);
    /// A connection is over.
    void Ended(Ptr<Socket> socket, bool closed);

    Ptr<ConfiguredTcpFactory> m_tcp;               //!< the device's
    Ptr<PrintServer> m_server;                     //!< the device's application
    std::map<Ptr<Socket>, uint64_t> m_connections; //!< those that are open, by number
    uint64_t m_accepted{0};                        //!< how many there have been
};

} // namespace ns3::study

#endif /* LIVE_PRINTER_H */
