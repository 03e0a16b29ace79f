-- Says that a consumer lives. ARGV: consumer, lease in ms.
redis.call('SET', KEYS[1] .. ':alive:' .. ARGV[1], '1', 'PX', tonumber(ARGV[2]))
redis.call('SADD', KEYS[1] .. ':consumers', ARGV[1])
return 1
