/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-log.h"

#include "limit-table.h"
#include "model/core/notation.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

WaitLog::WaitLog(std::vector<std::string> ends)
    : m_ends(std::move(ends))
{
}

void
WaitLog::Charged(Limit limit, std::optional<std::size_t> end, Time from, Time until)
{
    if (from == until)
    {
        return;
    }
    const bool open = m_spans.size() > m_settled;
    if (open && m_spans.back().limit == limit && m_spans.back().end == end)
    {
        m_spans.back().until = until;
        return;
    }
    m_spans.push_back({from, until, limit, end});
}

void
WaitLog::Progress()
{
    m_settled = m_spans.size();
}

void
WaitLog::Recharged(Limit from, Limit to, Time since)
{
    std::size_t place = m_spans.size();
    while (place > m_settled && m_spans[place - 1].until > since)
    {
        --place;
    }
    if (place < m_spans.size() && m_spans[place].from < since && m_spans[place].limit == from)
    {
        Span before = m_spans[place];
        before.until = since;
        m_spans[place].from = since;
        m_spans.insert(m_spans.begin() + static_cast<std::ptrdiff_t>(place++), before);
    }
    for (; place < m_spans.size(); ++place)
    {
        if (m_spans[place].limit == from)
        {
            m_spans[place].limit = to;
        }
    }
}

void
WaitLog::Lost()
{
    if (m_spans.size() > m_settled)
    {
        Span& lost = m_spans[m_settled];
        lost.until = m_spans.back().until;
        lost.limit = Limit::LOSS_RECOVERY;
        lost.end = m_spans.back().end;
        m_spans.resize(m_settled + 1);
    }
}

void
WaitLog::SendBuffer(std::size_t end, uint32_t held)
{
    m_levels.push_back({Simulator::Now(), end, held});
}

void
WaitLog::Write(std::ostream& out, Time origin) const
{
    std::vector<bool> known(m_ends.size());
    std::for_each(m_levels.begin(), m_levels.end(), [&](const auto& level) {
        known[level.end] = true;
    });
    out << "from_s,waits_for,end";
    for (std::size_t end = 0; end < m_ends.size(); ++end)
    {
        out << (known[end] ? "," + m_ends[end] + "_buffer_B" : "");
    }
    out << '\n';
    std::vector<uint32_t> held(m_ends.size());
    const auto write = [&](Time from, const std::string& limit, std::optional<std::size_t> end) {
        out << FormatSeconds(from - origin) << ',' << limit << ',' << (end ? m_ends[*end] : "");
        for (std::size_t each = 0; each < m_ends.size(); ++each)
        {
            out << (known[each] ? "," + std::to_string(held[each]) : "");
        }
        out << '\n';
    };
    auto level = m_levels.begin();
    const auto take = [&](Time until) {
        for (; level != m_levels.end() && level->from <= until; ++level)
        {
            held[level->end] = level->held;
        }
    };
    for (std::size_t place = 0; place < m_spans.size(); ++place)
    {
        const Span& span = m_spans[place];
        const std::string name = LimitName(span.limit);
        const bool more = place > 0 && m_spans[place - 1].limit == span.limit &&
                          m_spans[place - 1].end == span.end;
        const std::vector<uint32_t> before = held;
        take(span.from);
        if (!more || held != before)
        {
            write(span.from, name, span.end);
        }
        while (level != m_levels.end() && level->from < span.until)
        {
            const Time at = level->from;
            const std::vector<uint32_t> was = held;
            take(at);
            if (held != was)
            {
                write(at, name, span.end);
            }
        }
    }
    if (!m_spans.empty())
    {
        take(m_spans.back().until);
        write(m_spans.back().until, "", std::nullopt);
    }
}

} // namespace ns3::study
