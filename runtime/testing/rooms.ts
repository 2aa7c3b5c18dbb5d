import { ApiError, fromFailure } from '../kernel/errors.ts'
import { Room, type RoomConnection, type RoomConnectionEvents } from '../live/room.ts'
import type { RoomServerFrame } from '../live/types.ts'

/** Below the two seconds after which a test counts as stalled, so that the test fails with this function's message. */
const WAIT_MS = 1500
const POLL_MS = 10

export interface TestRoom extends Room {
  /** Waits until `holds` returns true, because changes by others arrive with a delay. Rejects after 1.5 seconds. */
  until(holds: () => boolean): Promise<void>
}

interface UpgradedSocket extends WebSocket {
  accept(): void
}

export async function enterRoom(
  send: (path: string, init: RequestInit) => Promise<Response>,
  { name, id, partition }: { name: string; id: string; partition: string | undefined },
): Promise<TestRoom> {
  const query = partition === undefined ? '' : `?${new URLSearchParams({ partition })}`
  const path = `/_app/live/${encodeURIComponent(name)}/${encodeURIComponent(id)}${query}`
  const response = await send(path, { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket as UpgradedSocket | null | undefined
  if (socket == null) {
    const { error } = (await response.json()) as { error?: object }
    throw error === undefined ? new ApiError('server_error', 'The room did not respond.') : fromFailure(error)
  }
  const room = new Room((events) => connectionOver(socket, events))
  await room.join()
  const until = async (holds: () => boolean): Promise<void> => {
    for (let waitedMs = 0; !holds(); waitedMs += POLL_MS) {
      if (waitedMs >= WAIT_MS) throw new Error(`Not within ${WAIT_MS / 1000} seconds: ${String(holds)}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return Object.assign(room, { until })
}

/** A connection that does not reconnect. When the app closes it, the test must enter the room again. */
function connectionOver(socket: UpgradedSocket, events: RoomConnectionEvents): RoomConnection {
  socket.addEventListener('message', ({ data }) => events.frame(JSON.parse(String(data)) as RoomServerFrame))
  socket.addEventListener('close', () => {
    events.lost()
    events.failed(new ApiError('unauthorized', 'The connection has ended.'), true)
  })
  socket.accept()
  return { send: (frame) => socket.send(JSON.stringify(frame)), close: () => socket.close() }
}
