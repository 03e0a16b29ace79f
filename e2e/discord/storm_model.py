"""A model that answers at once, with the number of the newest question."""

import asyncio
import json
import re

from aiohttp import web


class EchoModel:
    async def start(self):
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", self.complete)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"

    async def complete(self, request):
        question = await request.json()
        numbers = re.findall(r"question (\d+)\?", json.dumps(question["messages"]))
        await asyncio.sleep(0.2)
        said = f"Answer {numbers[-1] if numbers else 'nothing'}."
        usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
        about = {"id": "1", "created": 0, "model": "echo"}
        if not question.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            return web.json_response({**about, "object": "chat.completion", "choices": [choice], "usage": usage})
        pieces = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": said}, "finish_reason": None}]},
                  {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": usage}]
        lines = [f"data: {json.dumps({**about, 'object': 'chat.completion.chunk', **piece})}\n\n" for piece in pieces]
        return web.Response(text="".join(lines) + "data: [DONE]\n\n", content_type="text/event-stream")
