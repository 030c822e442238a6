"""A bare asyncio loop that echoes lines on a Unix socket: what a ping takes on this machine just now."""

import asyncio
import sys


async def serve(path: str) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
            await writer.drain()
        writer.close()
        over.set()

    over = asyncio.Event()
    async with await asyncio.start_unix_server(echo, path):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await over.wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
