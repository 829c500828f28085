/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_RUN_H
#define CONNECTION_RUN_H

#include "fast-forward-run.h"
#include "model/core/trace-listener.h"
#include "model/links/link-choice.h"
#include "model/records/transfer-observer.h"
#include "model/tcp/client-application.h"
#include "model/tcp/server-application.h"
#include "model/tcp/stock-tcp.h"

#include "ns3/inet-socket-address.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::study
{

/**
 * @brief A run over one TCP connection: two ends, and any link between them.
 *
 * It has what all such scenarios have in common: nodes, link and TCP, the files, the search for a
 * stall, the end, and the order of the record. What derives from it brings the applications and the
 * clock that splits the time, and puts the run together step by step in Build().
 */
class ConnectionRun : public FastForwardRun
{
  public:
    /// What tells one such run from another.
    struct Plan
    {
        std::string host;          //!< part of the scenario with the TCP of the end that connects
        std::string peer;          //!< part with the TCP of the other end
        TypeId peerTcp;            //!< TcpEnd of the other end; the first one has a HostTcp
        std::vector<Limit> limits; //!< what can be waited for, in the order of the record
        Time closing{Minutes(1)};  //!< for the two ends to close, after the end
    };

    /// A run of a plan. Its own parameters are in the part "job".
    ConnectionRun(const ParameterSet& parameters, const RunFiles& files, const Plan& plan);

    /// Declare what all such scenarios have behind what is their own: the parameters of links, run
    /// and TCP, the results of cycles and links, the files.
    /// @param job the type that has the attributes of the job, if there is one
    static void Complete(Scenario& scenario, std::optional<TypeId> job = std::nullopt);

  protected:
    /// Make the two nodes, the link between them, and their TCP.
    void JoinEnds();

    /// Fix the streams of all random numbers, and make the host's end after that.
    /// @param users who draw them, in this order behind the link
    template <class... Users>
    void MakeSender(const Ptr<Users>&... users)
    {
        int64_t stream = m_link->AssignStreams(0);
        ((stream += users->AssignStreams(stream)), ...);
        m_sender =
            Create<SendingEnd>(Socket::CreateSocket(m_host, ConfiguredTcpFactory::GetTypeId()));
    }

    /// @return the other end's address
    InetSocketAddress GetPeerAddress(uint16_t port) const;
    /// Install the two applications. The run ends when the client does.
    void Install(Ptr<ClientApplication> client, Ptr<ServerApplication> server);
    /// Count segments, and write the files. @param peer what the segment table calls the other end
    /// @param waiting the ends whose waits the clock tells
    void Observe(const std::string& host,
                 const std::string& peer,
                 const std::vector<std::string>& waiting);

    /// Take cycles off, as FastForwardRun does, where this study's TCP sends.
    /// @param arguments those of the constructor between the socket and the time limit
    template <class Kind, class... Arguments>
    Kind* TakeCyclesOff(Arguments&&... arguments)
    {
        const auto socket = m_sender->GetOwnSocket();
        return socket ? FastForwardRun::TakeCyclesOff<Kind>(socket,
                                                            std::forward<Arguments>(arguments)...)
                      : nullptr;
    }

    /// End the run when nothing moves any more.
    /// @param more time that may pass besides all configured latencies
    /// @param parts whose latencies count, besides those of the two ends and of the link
    void EndWhenStalled(Time more = Time(), std::vector<std::string> parts = {});
    std::string DescribeWait() const override;
    void Ended() override;

    const Plan m_plan;                            //!< what tells it from another run
    const Ptr<LinkChoice> m_choice;               //!< what is between the two
    const Ptr<TcpChoice> m_tcp;                   //!< TCP of both
    Ptr<Node> m_host;                             //!< node of the end that connects
    Ptr<Node> m_peer;                             //!< node of the other end
    Ptr<ConfiguredTcpFactory> m_hostTcp;          //!< TCP of the end that connects
    Ptr<ConfiguredTcpFactory> m_peerTcp;          //!< TCP of the other end
    Ptr<Link> m_link;                             //!< between the two
    Ptr<SendingEnd> m_sender;                     //!< the end that connects
    std::unique_ptr<TransferObserver> m_observer; //!< counts, and writes the files

  private:
    void Tell(JsonObject& record) final;
    /// The client has ended.
    void ClientEnded(ClientApplication::End end);

    /// @return the clock that splits the run's time
    virtual ShareClock& GetClock() = 0;
    /// @return payload to report [B]
    virtual uint64_t GetBytes() const = 0;
    /// Tell what is counted.
    virtual void TellCounts(JsonObject& record) = 0;

    /// Tell what else there is, behind all that is common.
    virtual void TellMore(JsonObject& /* record */)
    {
    }

    /// @return why a client that was connected has not finished
    virtual std::string DescribeEnd(ClientApplication::End end) const = 0;
};

} // namespace ns3::study

#endif /* CONNECTION_RUN_H */
