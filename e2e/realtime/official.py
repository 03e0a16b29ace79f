"""The vendors' own clients, each having a short conversation with the double of its service."""

import asyncio
import base64

from elevenlabs import ElevenLabs
from elevenlabs.realtime import AudioFormat, CommitStrategy, RealtimeEvents
from elevenlabs.realtime.scribe import ScribeRealtime
from google import genai
from google.genai import types
from openai import AsyncOpenAI
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

SECOND = b"\x10\x00" * 24_000
SERVER_EVENT = TypeAdapter(RealtimeServerEvent)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


async def openai(double):
    """Also what stands in for xAI, which names this client for its own service."""
    client = AsyncOpenAI(api_key="sk-test", base_url=f"http://{double.address}/v1", websocket_base_url=f"ws://{double.address}/v1")
    double.tell("hears Good morning.")
    seen, words, sound = [], "", b""
    async with client.realtime.connect(model="gpt-realtime-1.5") as connection:
        await connection.session.update(session={"type": "realtime", "audio": {"input": {"turn_detection": None}}})
        await connection.input_audio_buffer.append(audio=base64.b64encode(SECOND).decode())
        await connection.input_audio_buffer.commit()
        async for event in connection:
            seen.append(event.type)
            # Not only read, but right to the letter.
            SERVER_EVENT.validate_python(event.model_dump(by_alias=True, exclude_unset=True))
            if event.type == "conversation.item.input_audio_transcription.completed":
                words = event.transcript
                text = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "The kettle is on."}]}
                await connection.response.create(response={"conversation": "none", "input": [text]})
            if event.type == "response.output_audio.delta":
                sound += base64.b64decode(event.delta)
            if event.type == "response.done":
                expect(event.response.usage.output_token_details.audio_tokens > 0, "no usage")
                break
    expect(words == "Good morning.", words)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    expect("session.updated" in seen and "input_audio_buffer.committed" in seen, seen)
    return len(seen)


async def gemini(double):
    options = types.HttpOptions(base_url=f"http://{double.address}", api_version="v1beta")
    client = genai.Client(api_key="test", http_options=options)
    # It speaks TLS whatever address it is given; the double has none.
    client._api_client._websocket_base_url = lambda *_: f"ws://{double.address}"
    client._api_client._websocket_ssl_ctx = {}
    double.tell("hears Good morning.")
    double.tell("go away")
    config = types.LiveConnectConfig(
        response_modalities=["AUDIO"],
        input_audio_transcription=types.AudioTranscriptionConfig(),
        output_audio_transcription=types.AudioTranscriptionConfig(),
        session_resumption=types.SessionResumptionConfig(),
        realtime_input_config=types.RealtimeInputConfig(
            automatic_activity_detection=types.AutomaticActivityDetection(disabled=True)
        ),
    )
    heard, said, sound, handle, leaves, frames = "", "", b"", None, None, 0
    async with client.aio.live.connect(model="gemini-3.8-live", config=config) as session:
        await session.send_realtime_input(activity_start=types.ActivityStart())
        await session.send_realtime_input(audio=types.Blob(data=SECOND, mime_type="audio/pcm;rate=16000"))
        await session.send_realtime_input(activity_end=types.ActivityEnd())
        for text in [None, "The kettle is on."]:
            if text:
                await session.send_client_content(turns={"role": "user", "parts": [{"text": text}]}, turn_complete=True)
            async for message in session.receive():
                frames += 1
                content = message.server_content
                if message.session_resumption_update:
                    handle = message.session_resumption_update.new_handle
                if message.go_away:
                    leaves = message.go_away.time_left
                if content and content.input_transcription:
                    heard += content.input_transcription.text or ""
                if text and content and content.output_transcription:
                    said += content.output_transcription.text or ""
                if text and message.data:
                    sound += message.data
    expect(heard == "Good morning.", heard)
    expect(said.strip() == "The kettle is on.", said)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    expect(handle and leaves == "5s", f"{handle}, {leaves}")
    return frames


async def elevenlabs(double):
    double.tell("hears Good morning.")
    scribe = ScribeRealtime("test", base_url=f"ws://{double.address}")
    connection = await scribe.connect({
        "model_id": "scribe_v2_realtime", "audio_format": AudioFormat.PCM_16000, "sample_rate": 16_000,
        "commit_strategy": CommitStrategy.MANUAL,
    })
    words, wrong = asyncio.Queue(), []
    connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT, lambda data: words.put_nowait(data["text"]))
    connection.on(RealtimeEvents.ERROR, wrong.append)
    await connection.send({"audio_base_64": base64.b64encode(SECOND).decode()})
    await connection.commit()
    heard = await asyncio.wait_for(words.get(), 10)
    expect(heard == "Good morning.", heard)
    expect(not wrong, wrong)
    await connection.close()

    def speak():
        client = ElevenLabs(api_key="test", base_url=f"http://{double.address}")
        client.text_to_speech._ws_base_url = f"ws://{double.address}"
        return b"".join(client.text_to_speech.convert_realtime("voice", text=iter(["The kettle is on."]), model_id="eleven_flash_v2_5"))

    sound = await asyncio.to_thread(speak)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    return 2
