-- Puts another text in the place of entries, wherever they are now. An empty one sets the entry aside as unreadable.
-- ARGV: how many unreadable ones are kept, the list to look in first, then old and new in turn.
local key = KEYS[1]
local lists = { ARGV[2], key }
for _, consumer in ipairs(redis.call('SMEMBERS', key .. ':consumers')) do
  table.insert(lists, key .. ':held:' .. consumer)
end
local replaced = 0
for at = 3, #ARGV, 2 do
  local old, new = ARGV[at], ARGV[at + 1]
  for _, list in ipairs(lists) do
    local place = redis.call('LPOS', list, old)
    if place then
      if new == '' then
        redis.call('LREM', list, 1, old)
        redis.call('RPUSH', key .. ':unreadable', old)
      else
        redis.call('LSET', list, place, new)
      end
      replaced = replaced + 1
      break
    end
  end
end
redis.call('LTRIM', key .. ':unreadable', -tonumber(ARGV[1]), -1)
return replaced
