-- Takes turns out for good. ARGV: where to look first (a consumer, or '' for everywhere at once), by what, then the values:
--   turns: ids · session: its id · community: its id · room: community, room · person: id, community or ''
-- The ids that were removed are answered. What is unreadable goes too where it has the values in it somewhere.
local key, consumer, by = KEYS[1], ARGV[1], ARGV[2]
local values, wanted = {}, {}
for at = 3, #ARGV do
  table.insert(values, ARGV[at])
  wanted[ARGV[at]] = true
end

local function is_meant(turn)
  if by == 'turns' then return wanted[turn.id] end
  if by == 'session' then return turn.session == values[1] end
  local place = type(turn.place) == 'table' and turn.place or {}
  if by == 'community' then return place.community == values[1] end
  if by == 'room' then return place.community == values[1] and place.room == values[2] end
  local speaker = type(turn.speaker) == 'table' and turn.speaker or {}
  return speaker.id == values[1] and (values[2] == '' or place.community == values[2])
end

-- A copy that comes late does not come in again, wherever the turn is now.
if by == 'turns' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  for _, id in ipairs(values) do redis.call('ZADD', key .. ':seen', 'NX', now, id) end
end

local removed = {}
local function sweep(list)
  local first = 0
  while true do
    local entries = redis.call('LRANGE', list, first, first + 499)
    if #entries == 0 then return end
    local kept = 0
    for _, entry in ipairs(entries) do
      local read, turn = pcall(cjson.decode, entry)
      if read and type(turn) == 'table' and is_meant(turn) then
        redis.call('LREM', list, 1, entry)
        table.insert(removed, turn.id)
      else
        kept = kept + 1
      end
    end
    first = first + kept
  end
end

if consumer ~= '' then
  sweep(key .. ':held:' .. consumer)
  if #removed >= #values then return removed end
end
sweep(key)
for _, other in ipairs(redis.call('SMEMBERS', key .. ':consumers')) do
  sweep(key .. ':held:' .. other)
end
if consumer == '' then
  for _, entry in ipairs(redis.call('LRANGE', key .. ':unreadable', 0, -1)) do
    local hits = 0
    for _, value in ipairs(values) do
      if string.find(entry, value, 1, true) then hits = hits + 1 end
    end
    if hits == #values or (by == 'turns' and hits > 0) then
      redis.call('LREM', key .. ':unreadable', 1, entry)
      table.insert(removed, '')
    end
  end
end
return removed
