"""The double of OpenAI's speech and transcription, used by OpenAI's own client: what it answers must be what that takes."""

import io
import sys

import openai

address, key = sys.argv[1:3]
client = openai.OpenAI(base_url=address, api_key=key, max_retries=0)


def clip():
    head = b"RIFF" + (36 + 32000).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    head += (1).to_bytes(2, "little") + (1).to_bytes(2, "little") + (16000).to_bytes(4, "little")
    head += (32000).to_bytes(4, "little") + (2).to_bytes(2, "little") + (16).to_bytes(2, "little")
    file = io.BytesIO(head + b"data" + (32000).to_bytes(4, "little") + bytes(32000))
    file.name = "clip.wav"
    return file


long = client.audio.transcriptions.create(
    file=clip(), model="whisper-1", response_format="verbose_json", temperature=0, language="en", prompt="Denizen"
)
assert long.text == "Hello there." and long.duration == 1.0, long
assert long.segments[0].no_speech_prob < 0.1 and long.usage.seconds == 1, long
short = client.audio.transcriptions.create(file=clip(), model="gpt-4o-transcribe", response_format="json")
assert short.text == "Hello there." and short.usage.type == "tokens" and short.usage.input_tokens == 10, short
try:
    client.audio.transcriptions.create(file=clip(), model="gpt-4o-transcribe", response_format="verbose_json")
    raise SystemExit("a form that newer models refuse was taken")
except openai.BadRequestError as error:
    assert error.code == "unsupported_value", error

for form, head in (("wav", 44), ("pcm", 0)):
    with client.audio.speech.with_streaming_response.create(
        model="gpt-4o-mini-tts", voice="alloy", input="Hi there.", response_format=form, speed=1.25
    ) as answer:
        sound = b"".join(answer.iter_bytes())
    assert len(sound) == head + 9 * 1440 * 2, (form, len(sound))
try:
    openai.OpenAI(base_url=address, api_key="wrong", max_retries=0).audio.speech.create(
        model="tts-1", voice="alloy", input="Hi"
    )
    raise SystemExit("a wrong key was taken")
except openai.AuthenticationError as error:
    assert error.code == "invalid_api_key", error
print("openai", openai.__version__)
