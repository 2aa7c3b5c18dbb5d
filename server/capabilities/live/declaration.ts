import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

const ROOMS_MAX = 50
const HISTORY_MAX = 1000

const RoomDeclaration = z.strictObject({
  room: z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be a name like "doc"'),
  access: z.enum(['public', 'members', 'team', 'staff']),
  history: z.int().min(0).max(HISTORY_MAX).optional(),
})

export type DeclaredRoom = z.output<typeof RoomDeclaration>

const Declared = z.looseObject({
  uses: z.array(z.string()).default([]),
  rooms: z.array(RoomDeclaration).default([]),
})

export const live = capability({
  key: 'live',
  title: 'Live rooms',
  about: 'People in the same room see each other act.',
  cost: 'By use. The messages in a room, and the time that people are in it',
  erasure: 'in part.ts',
  settings: z.object({
    maxPeers: z
      .int()
      .min(1)
      .max(500)
      .default(50)
      .meta({
        title: 'People in a room at most',
        examples: [5],
        description: 'Open pages are counted; one more is refused.',
      }),
    historyLimit: z
      .int()
      .min(0)
      .max(HISTORY_MAX)
      .default(100)
      .meta({
        title: 'Messages kept in a room',
        examples: [20],
        description: 'For people who come later. 0 keeps none.',
      }),
    allowAnonymous: z
      .boolean()
      .default(false)
      .meta({
        title: 'Without signing in',
        examples: [true],
        description: 'Off: a public room is open to everyone who is signed in.',
      }),
  }),
  lacks: ({ allowAnonymous }, manifest) => {
    const { uses, rooms } = Declared.parse(manifest)
    if (allowAnonymous || uses.includes('auth') || rooms.length === 0) return []
    return ['The app has no accounts, so its rooms are closed to everyone until visitors are allowed in.']
  },
  byHand:
    'Rooms are open to people who are signed in; `LIVE_ALLOW_ANONYMOUS` with the value `on` lets visitors into the ' +
    'public ones. `LIVE_MAX_PEERS` (50) and `LIVE_HISTORY_LIMIT` (100) are the other settings.',
  dependsOn: ({ allowAnonymous }) => (allowAnonymous ? [] : ['auth']),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ maxPeers, historyLimit, allowAnonymous }) => ({
    LIVE_MAX_PEERS: String(maxPeers),
    LIVE_HISTORY_LIMIT: String(historyLimit),
    LIVE_ALLOW_ANONYMOUS: allowAnonymous ? 'on' : 'off',
  }),
  manifest: {
    rooms: z
      .array(RoomDeclaration)
      .max(ROOMS_MAX)
      .refine((rooms) => new Set(rooms.map(({ room }) => room)).size === rooms.length, 'names a room twice')
      .optional(),
  },
})
