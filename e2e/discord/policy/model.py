"""A model that does what scenarios tell it: OpenAI's chat completions, one script for each model id."""

import asyncio
import json

from aiohttp import web


class ScriptedModel:
    def __init__(self):
        self.scripts, self.asked, self.pending = {}, {}, {}

    def script(self, name, scenario):
        acts = {kind: list(acts) for kind, acts in scenario.cues.items()}
        self.scripts[name] = {**acts, "always": sorted(scenario.later, key=lambda one: one[0]), "begun": None}
        self.asked[name], self.pending[name] = [], 0

    async def start(self):
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", self.complete)
        app.router.add_get("/v1/models", lambda _: web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in self.scripts]}))
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"

    def act(self, name, purpose, cap):
        script = self.scripts.get(name)
        if script is None:
            return {"kind": "answers", "wait": 0.0, "words": ["Okay."]}
        if script[purpose]:
            # With more room, too, a model that only thinks says nothing.
            stays = script[purpose][0].get("failure") == "out_of_room" and cap <= 600
            return script[purpose][0] if stays else script[purpose].pop(0)
        since = asyncio.get_running_loop().time() - (script["begun"] or 0)
        always = [act for at, act in script["always"] if at <= since]
        if purpose == "model" and always:
            return always[-1]
        return {"kind": "answers", "wait": 1.0, "words": ["Okay."]} if purpose == "model" else {"kind": "judges", "wait": 1.0, "words": [], "judged": 0.0}

    async def complete(self, request):
        question = await request.json()
        name = question["model"]
        purpose = "classifier" if '"confidence"' in json.dumps(question) or "confidence" in str(question.get("response_format", "")) else "model"
        act = self.act(name, purpose, question.get("max_tokens") or question.get("max_completion_tokens") or 0)
        self.asked.setdefault(name, []).append(question)
        self.pending[name] = self.pending.get(name, 0) + 1
        try:
            return await self.perform(request, question, act)
        finally:
            self.pending[name] -= 1

    async def perform(self, request, question, act):
        if act["kind"] == "never":
            # Whoever asked gives up; a test that hangs does, too.
            await asyncio.sleep(120)
            return web.Response(status=504)
        if act["kind"] == "fails" and act["failure"] != "out_of_room":
            await asyncio.sleep(act["wait"])
            return self.fail(request, act)
        typed = "response_format" in question
        words, finish = act["words"], "stop"
        if act["kind"] == "answers":
            words = [json.dumps({"action": "reply", "text": words[0], "reason": ""})] if typed else words
        elif act["kind"] == "skips":
            words = [json.dumps({"action": "skip", "text": "", "reason": "".join(words)})] if typed else ["[SKIP]"]
        elif act["kind"] == "judges":
            words = [json.dumps({"confidence": act["judged"], "reason": ""})]
        elif act["kind"] == "declines":
            words, finish = [], "content_filter"
        elif act["kind"] == "fails":
            words, finish = [], "length"
        elif act["kind"] in ("cut", "stopped"):
            finish = "length" if act["kind"] == "cut" else "content_filter"
            words = [json.dumps({"action": "reply", "text": words[0]})[:-2]] if typed and words[0] else words
        # An answer that has begun does not stand still for long.
        writing = act["wait"] if len(words) > 1 else min(1.0, act["wait"] / 2)
        await asyncio.sleep(act["wait"] - writing)
        return await self.write(request, question, words, finish, writing)

    def fail(self, request, act):
        told = lambda status, code, **headers: web.json_response(  # noqa: E731
            {"error": {"message": f"This is a trial of {code}.", "type": code, "code": code}}, status=status, headers=headers)
        match act["failure"]:
            case "unreachable":
                request.transport.abort()
                return web.Response()
            case "rate_limited":
                return told(429, "rate_limit_exceeded", **{"retry-after": str(round(act["retry"] or 1))})
            case "malformed":
                return web.Response(text="<html>", content_type="text/html")
            case "rejected":
                return told(400, "invalid_request_error")
            case "key_refused":
                return told(401, "invalid_api_key")
            case _:
                return told(500, "server_error")

    async def write(self, request, question, words, finish, wait):
        usage = {"prompt_tokens": 100, "completion_tokens": 600 if finish == "length" else 5, "total_tokens": 105}
        about = {"id": "chatcmpl-1", "created": 0, "model": question["model"]}
        if not question.get("stream"):
            await asyncio.sleep(wait)
            message = {"role": "assistant", "content": "".join(words)}
            return web.json_response({**about, "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})
        answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await answer.prepare(request)
        piece = lambda **more: answer.write(f"data: {json.dumps({**about, 'object': 'chat.completion.chunk', **more})}\n\n".encode())  # noqa: E731
        for word in words:
            await piece(choices=[{"index": 0, "delta": {"role": "assistant", "content": word}, "finish_reason": None}])
            await asyncio.sleep(wait / len(words))
        if not words:
            await asyncio.sleep(wait)
        await piece(choices=[{"index": 0, "delta": {}, "finish_reason": finish}])
        await piece(choices=[], usage=usage)
        await answer.write(b"data: [DONE]\n\n")
        await answer.write_eof()
        return answer
