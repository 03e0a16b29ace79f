-- Moves the oldest turns to those this consumer holds. ARGV: consumer, lease in ms, how many.
local key, consumer, lease = KEYS[1], ARGV[1], tonumber(ARGV[2])
local held = key .. ':held:' .. consumer
redis.call('SET', key .. ':alive:' .. consumer, '1', 'PX', lease)
redis.call('SADD', key .. ':consumers', consumer)

-- While the server was away nobody could say that they live: everybody gets one lease to do so.
-- Where it may not be asked how long it has been there, it is taken for long.
local info = redis.pcall('INFO', 'server')
local uptime = type(info) == 'string' and tonumber(string.match(info, 'uptime_in_seconds:(%d+)'))
if not uptime or uptime * 1000 >= lease then
  for _, other in ipairs(redis.call('SMEMBERS', key .. ':consumers')) do
    if redis.call('EXISTS', key .. ':alive:' .. other) == 0 then
      -- The newest first, so that the oldest ends up in front.
      while redis.call('LMOVE', key .. ':held:' .. other, key, 'RIGHT', 'LEFT') do end
      redis.call('SREM', key .. ':consumers', other)
    end
  end
end

local claimed = {}
for at = 1, tonumber(ARGV[3]) do
  local entry = redis.call('LMOVE', key, held, 'LEFT', 'RIGHT')
  if not entry then break end
  claimed[at] = entry
end
return claimed
