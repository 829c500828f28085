/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <fstream>
#include <string>

namespace ns3::study
{

/// A file that appears under its name whole, or not at all.
class WholeFile
{
  public:
    explicit WholeFile(const std::string& name);
    /// Removes what was not published.
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /// @return the name the file has until it is published
    const std::string& GetPartName() const;
    /// @return a stream that writes it
    std::ostream& GetStream();
    /// Give the file its name.
    /// @param complete false if somebody else who wrote it failed
    /// @throw std::runtime_error if it could not be written to the end
    void Publish(bool complete = true);

  private:
    std::string m_name;     //!< the file's name
    std::string m_partName; //!< its name until it is published
    std::ofstream m_stream; //!< opened at first use
};

} // namespace ns3::study

#endif /* WHOLE_FILE_H */
