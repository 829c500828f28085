/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "canonical.h"

#include <cmath>
#include <sstream>

namespace ns3::study
{

JsonObject
ToCanonical(const ParameterSet& parameters, const std::vector<std::string>& values, bool refuse)
{
    std::vector<JsonObject> answers;
    for (const auto& value : values)
    {
        const auto equals = value.find('=');
        if (value.rfind("--", 0) != 0 || equals == std::string::npos)
        {
            throw ParameterError("", "'" + value + "' is not of the form --parameter=value");
        }
        const std::string flag = value.substr(2, equals - 2);
        const std::string text = value.substr(equals + 1);
        try
        {
            answers.push_back(parameters.ToCanonical(flag, text));
        }
        catch (const ParameterError& error)
        {
            if (refuse)
            {
                throw;
            }
            JsonObject answer;
            answer.Add("error", std::string(error.what()));
            answer.Add("parameter", error.parameter);
            const double number = parameters.ReadNumber(flag, text); // of one that is out of range
            if (std::isfinite(number))
            {
                answer.Add("number", std::optional<double>(number));
            }
            answers.push_back(answer);
        }
    }
    JsonObject json;
    json.Add("values", answers);
    return json;
}

std::vector<std::string>
SplitValues(const std::string& line)
{
    std::vector<std::string> values;
    std::istringstream parts(line);
    for (std::string value; std::getline(parts, value, '\t');)
    {
        values.push_back(value);
    }
    return values;
}

} // namespace ns3::study
