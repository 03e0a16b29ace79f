-- Puts turns at the end of the list, each id once. ARGV: how long and how many ids are remembered, then id and turn in turn.
local key = KEYS[1]
local seen = key .. ':seen'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local added = 0
for at = 3, #ARGV, 2 do
  if redis.call('ZADD', seen, 'NX', now, ARGV[at]) == 1 then
    redis.call('RPUSH', key, ARGV[at + 1])
    added = added + 1
  end
end
redis.call('ZREMRANGEBYSCORE', seen, '-inf', now - tonumber(ARGV[1]))
redis.call('ZREMRANGEBYRANK', seen, 0, -1 - tonumber(ARGV[2]))
return added
