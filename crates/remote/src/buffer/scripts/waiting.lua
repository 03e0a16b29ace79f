-- The communities that turns wait of, each once; '' for entries that do not say.
local key, first, seen, found = KEYS[1], 0, {}, {}
while true do
  local entries = redis.call('LRANGE', key, first, first + 499)
  if #entries == 0 then break end
  for _, entry in ipairs(entries) do
    local read, turn = pcall(cjson.decode, entry)
    local place = read and type(turn) == 'table' and type(turn.place) == 'table' and turn.place or {}
    local community = type(place.community) == 'string' and place.community or ''
    if not seen[community] then
      seen[community] = true
      table.insert(found, community)
    end
  end
  first = first + 500
end
return found
