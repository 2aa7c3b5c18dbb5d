import type { Peer, RoomMessage } from '@slipway/runtime/live/types.ts'
import { starterTree } from '../source/tree.ts'
import { openRoom, type TestSocket } from './bundle-socket.ts'
import type { RunningApp } from './bundle.ts'
import type { Person } from './team-people.ts'

export const ROOM_KEYS = ['auth', 'data', 'team', 'live']
const MANIFEST = {
  slipway: 1,
  name: 'Rooms',
  uses: ROOM_KEYS,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: { type: 'text' } } },
  },
  rooms: [
    { room: 'doc', access: 'members' },
    { room: 'lobby', access: 'public' },
    { room: 'crew', access: 'team' },
    { room: 'desk', access: 'staff' },
    { room: 'few', access: 'members', history: 3 },
    { room: 'none', access: 'members', history: 0 },
  ],
}
const ROUTES = `import { live } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/say/:room/:id', async (c) => {
  const { room, id } = c.req.param()
  const { partition, data } = await c.req.json()
  await live.broadcast(room, id, 'news', data, { partition })
  return c.json(await live.peers(room, id, { partition }))
})
`

/** An app whose live rooms have different access rules. */
export const ROOM_TREE = new Map([
  ...starterTree('Rooms'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
])

/** A socket in a room, with the messages that it has received and the room's contents at the time of entering. */
export class Participant {
  readonly socket: TestSocket
  me = ''
  peers: Peer[] = []
  readonly messages: RoomMessage[] = []
  state: Record<string, unknown> = {}

  private constructor(socket: TestSocket) {
    this.socket = socket
  }

  static async enter(app: RunningApp, room: string, who: Person, more: object = {}): Promise<Participant> {
    const one = new Participant(await openRoom(app, room, { cookie: who.cookie, ...more }))
    const frame = await one.socket.next('room')
    one.me = frame['me'] as string
    one.peers = frame['peers'] as Peer[]
    one.state = frame['state'] as Record<string, unknown>
    return one
  }

  /** Reads from the socket until `count` messages have arrived. Returns all messages. */
  async hear(count: number): Promise<RoomMessage[]> {
    while (this.messages.length < count)
      this.messages.push(...((await this.socket.next('messages'))['items'] as RoomMessage[]))
    return this.messages
  }

  say(data: unknown, ref: string = crypto.randomUUID()): void {
    this.socket.send({ type: 'broadcast', ref, event: 'say', data })
  }
}
