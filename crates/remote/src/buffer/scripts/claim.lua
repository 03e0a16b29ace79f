-- Moves the oldest turns to those this consumer holds. ARGV: consumer, lease in ms, how many, then whose:
--   all, of or not · the community of entries that do not say theirs · a JSON list of communities
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

local claimed, most = {}, tonumber(ARGV[3])
if ARGV[4] == 'all' then
  for at = 1, most do
    local entry = redis.call('LMOVE', key, held, 'LEFT', 'RIGHT')
    if not entry then break end
    claimed[at] = entry
  end
  return claimed
end

local listed = {}
for _, community in ipairs(cjson.decode(ARGV[6])) do listed[community] = true end
local function is_meant(entry)
  local read, turn = pcall(cjson.decode, entry)
  local place = read and type(turn) == 'table' and type(turn.place) == 'table' and turn.place or {}
  local community = type(place.community) == 'string' and place.community or ARGV[5]
  return (listed[community] or false) == (ARGV[4] == 'of')
end
local first = 0
while #claimed < most do
  local entries = redis.call('LRANGE', key, first, first + 499)
  if #entries == 0 then break end
  local kept = 0
  for _, entry in ipairs(entries) do
    if #claimed < most and is_meant(entry) then
      redis.call('LREM', key, 1, entry)
      redis.call('RPUSH', held, entry)
      table.insert(claimed, entry)
    else
      kept = kept + 1
    end
  end
  first = first + kept
end
return claimed
