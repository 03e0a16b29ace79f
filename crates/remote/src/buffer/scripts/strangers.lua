-- Entries that other programs wrote in a form of their own. ARGV: how many at most.
local key, most = KEYS[1], tonumber(ARGV[1])
local lists = { key }
for _, consumer in ipairs(redis.call('SMEMBERS', key .. ':consumers')) do
  table.insert(lists, key .. ':held:' .. consumer)
end
local function is_ours(entry)
  local read, turn = pcall(cjson.decode, entry)
  return read and type(turn) == 'table' and type(turn.id) == 'string' and type(turn.place) == 'table'
    and type(turn.speaker) == 'table' and type(turn.session) == 'string' and type(turn.text) == 'string'
end
local strangers = {}
for _, list in ipairs(lists) do
  local first = 0
  while true do
    local entries = redis.call('LRANGE', list, first, first + 499)
    if #entries == 0 then break end
    for _, entry in ipairs(entries) do
      if not is_ours(entry) then
        table.insert(strangers, entry)
        if #strangers >= most then return strangers end
      end
    end
    first = first + 500
  end
end
return strangers
