-- How many entries a list has. ARGV: whose, as for a claim.
local key = KEYS[1]
if ARGV[1] == 'all' then return redis.call('LLEN', key) end
local listed = {}
for _, community in ipairs(cjson.decode(ARGV[3])) do listed[community] = true end
local count, first = 0, 0
while true do
  local entries = redis.call('LRANGE', key, first, first + 499)
  if #entries == 0 then return count end
  for _, entry in ipairs(entries) do
    local read, turn = pcall(cjson.decode, entry)
    local place = read and type(turn) == 'table' and type(turn.place) == 'table' and turn.place or {}
    local community = type(place.community) == 'string' and place.community or ARGV[2]
    if (listed[community] or false) == (ARGV[1] == 'of') then count = count + 1 end
  end
  first = first + 500
end
