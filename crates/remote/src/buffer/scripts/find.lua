-- Entries with the id of a turn, wherever they are. ARGV: the id.
local key, wanted = KEYS[1], ARGV[1]
local lists = { key }
for _, consumer in ipairs(redis.call('SMEMBERS', key .. ':consumers')) do
  table.insert(lists, key .. ':held:' .. consumer)
end
-- Such an id is written differently within an entry.
local is_escaped = string.find(wanted, '["\\%c]')
local found = {}
for _, list in ipairs(lists) do
  local first = 0
  while true do
    local entries = redis.call('LRANGE', list, first, first + 499)
    if #entries == 0 then break end
    for _, entry in ipairs(entries) do
      -- Most entries are not it: the plain look is far cheaper than reading each.
      if is_escaped or string.find(entry, wanted, 1, true) then
        local read, turn = pcall(cjson.decode, entry)
        if read and type(turn) == 'table' and turn.id == wanted then table.insert(found, entry) end
      end
    end
    first = first + 500
  end
end
return found
