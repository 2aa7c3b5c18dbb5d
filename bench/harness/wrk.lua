-- wrk -s wrk.lua <url> -- <file of "METHOD path" lines> [file with the body]
-- Takes the lines in turn and prints one line of JSON at the end. Headers come from the command line.
local requests = {}
local turn = 0

function init(args)
  local body = nil
  if args[2] ~= nil then
    body = io.open(args[2]):read('*a')
  end
  for line in io.lines(args[1]) do
    local method, path = line:match('^(%u+) (.+)$')
    requests[#requests + 1] = wrk.format(method, path, nil, body)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"seconds":%f,"errors":%d,"p50Ms":%f,"p99Ms":%f}',
    summary.requests, summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
