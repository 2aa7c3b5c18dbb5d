import { WorkerEntrypoint } from 'cloudflare:workers'
import type { DataBinding, DataCall, DataText } from '../../data/frames.ts'
import { searchFor } from '../../directory/search.ts'
import type { FilesCalls } from '../../files/types.ts'
import { eventSettingsOf } from '../../events/settings.ts'
import type { EventRules } from '../../events/types.ts'
import { handleLive, openRoom, parseRoomPath } from '../../live/room-calls.ts'
import { liveSettingsOf } from '../../live/settings.ts'
import { type LiveCalls, ROOM_HEADER } from '../../live/types.ts'
import {
  type Actor,
  type Caller,
  isTeamId,
  isUserId,
  ownerOf,
  parseToken,
} from '../../kernel/access/actor.ts'
import type { LiveBinding, LiveBindings } from '../../kernel/objects/calls.ts'
import type { LiveContext } from '../../kernel/objects/rpc-method.ts'
import { ApiError, failureAnswer, invalid, notSignedIn, noSuchPartition } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import {
  accountOf,
  directoryOf,
  filesOf,
  type Objects,
  partitionOf,
  scheduleOf,
  type Tier,
} from '../../kernel/objects/objects.ts'
import { addMethods } from '../../kernel/objects/part.ts'
import { sendPrepared } from '../../kernel/objects/send-prepared.ts'
import { actorOf } from '../../kernel/access/person.ts'
import { ACTOR_HEADER, type SocketHeaders } from '../../data/socket-headers.ts'
import { RPC_NAMES } from './rpc-names.ts'

interface TiersEnv {
  OBJECTS: Objects
}

/** The methods of all capabilities. The type check of the class below fails when the class lacks a method that a capability declares. */
type EveryLiveBinding = {
  [Key in keyof LiveBindings]: (binding: LiveBindings[Key]) => void
}[keyof LiveBindings] extends (binding: infer All) => void
  ? All
  : never

const UNPREPARED_ANSWER: DataText = JSON.stringify({ ok: false, unprepared: true })
const SIGNED_OUT: DataText = JSON.stringify(failureAnswer(notSignedIn()))
const APP_PARTITION = 'app'
/** The partition name by which the app's worker means the caller's own partition. */
const OWN_PARTITION = 'own'
const CALLER_HEADER = 'slipway-caller'

type RpcName = (typeof RPC_NAMES)[number]

/** The handlers in `runtime/<key>/rpc.ts`. The type check of `loadRpc` fails for a handler that does not fit its declared method. */
type RpcHandlers = {
  [Name in RpcName]: EveryLiveBinding[Name] extends (...asked: infer Asked) => infer Answer
    ? (context: LiveContext, ...asked: Asked) => Answer
    : never
}

const loadRpc = (): Promise<RpcHandlers> => import('./rpc.ts')

const RPC_METHODS = Object.fromEntries(
  RPC_NAMES.map((name) => [
    name,
    (context: LiveContext) =>
      async (...asked: never[]): Promise<unknown> => {
        const handle: (context: LiveContext, ...asked: never[]) => unknown = (await loadRpc())[name]
        return handle(context, ...asked)
      },
  ]),
)

/**
 * Returns the entrypoint class for the live app or for its preview. The class adds the tier's prefix to the names of
 * Durable Objects, so that code of the preview cannot reach an object of production. The tier is a variable of the
 * closure and not an argument of the constructor, because Cloudflare creates the instances, one for every call. The
 * class alone decides who the caller is, from the session that the browser sent. The app's worker can call every
 * method, and after a rollback that worker belongs to an older release: add methods, never change one.
 */
function entrypointOf(tier: Tier) {
  const contextOf = (env: TiersEnv): LiveContext => ({ objects: env.OBJECTS, tier, env })

  // oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class defines a method for each of these names
  interface TierEntrypoint extends Pick<EveryLiveBinding, RpcName> {}
  class TierEntrypoint
    extends WorkerEntrypoint<TiersEnv>
    implements LiveBinding, DataBinding, EveryLiveBinding
  {
    static {
      addMethods(this.prototype, RPC_METHODS, ({ env }) => contextOf(env))
    }

    async prepare(hash: string, manifest: Manifest): Promise<void> {
      const { OBJECTS } = this.env
      await Promise.all([
        partitionOf(OBJECTS, tier, APP_PARTITION).prepare(hash, manifest),
        directoryOf(OBJECTS, tier).dirPrepare(hash, manifest),
      ])
      // The admin worker stores the schedules of a new release. An app that was deployed with plain wrangler has no admin
      // worker, so store them here.
      if ((this.env as { APP_STANDALONE?: unknown }).APP_STANDALONE === 'on')
        await scheduleOf(OBJECTS, tier).planSchedules(manifest.schedules ?? [])
    }

    data<Call extends DataCall>(hash: string, caller: Caller, call: Call): Promise<DataText<Call>>
    async data(hash: string, caller: Caller, call: DataCall): Promise<DataText> {
      const { OBJECTS } = this.env
      const token = typeof caller === 'string' ? null : parseToken(caller.session)
      // A person's Durable Object has both the session and the records, so one call is enough.
      if (token !== null && call.partition === OWN_PARTITION && call.kind !== 'search')
        return await callPartition(
          OBJECTS,
          tier,
          hash,
          token.userId,
          async (own) => (await own.dataOf(hash, token, call)) ?? SIGNED_OUT,
        )
      const actor = await actorOf(OBJECTS, tier, caller)
      try {
        const partition = await partitionFor(OBJECTS, tier, actor, call.partition ?? APP_PARTITION)
        if (call.kind === 'search') {
          const inside = await withMembership(OBJECTS, tier, actor, partition)
          return JSON.stringify(await searchFor(OBJECTS, tier, { hash, ...call, actor: inside, partition }))
        }
        return await callPartition(OBJECTS, tier, hash, partition, (one) => one.data(hash, actor, call))
      } catch (error) {
        return JSON.stringify(failureAnswer(error))
      }
    }

    files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']) {
      return filesOf(this.env.OBJECTS, tier).files(kind, ask)
    }

    async eventRules(): Promise<EventRules> {
      const salt = await directoryOf(this.env.OBJECTS, tier).dirEventSalt()
      return { ...salt, ...eventSettingsOf(this.env) }
    }

    rooms<Kind extends keyof LiveCalls>(hash: string, kind: Kind, ask: LiveCalls[Kind]['ask']) {
      return handleLive(roomsContext(this.env, tier), hash, kind, ask)
    }

    /** Opens a socket to a live room, or to one partition: `?partition=`, by default the app's own partition. */
    async fetch(request: Request): Promise<Response> {
      const { OBJECTS } = this.env
      const headers = new Headers(request.headers) as SocketHeaders
      const session = headers.get(CALLER_HEADER)
      const actor = await actorOf(OBJECTS, tier, session === null ? 'anonymous' : { session })
      // Always set, so that a browser cannot choose the actor.
      headers.set(ACTOR_HEADER, JSON.stringify(actor))
      headers.delete(CALLER_HEADER)
      headers.delete(ROOM_HEADER)
      try {
        if (parseRoomPath(new URL(request.url).pathname) !== null)
          return await openRoom(
            roomsContext(this.env, tier),
            actor,
            new Request(request.url, { headers }),
            (hash, partition) => prepareFromDirectory(OBJECTS, tier, hash, partition),
          )
        const wanted = new URL(request.url).searchParams.get('partition') ?? APP_PARTITION
        const partition = await partitionFor(OBJECTS, tier, actor, wanted)
        // Record the team in the person's Durable Object, so that signing out finds the socket.
        if (isTeamId(partition) && typeof actor !== 'string')
          await accountOf(OBJECTS, tier, actor.userId).memberships('follow', { team: partition })
        return await sendPrepared(
          () => partitionOf(OBJECTS, tier, partition).fetch(new Request(request.url, { headers })),
          ({ status }) => status === 409 && partition !== APP_PARTITION,
          () => prepareFromDirectory(OBJECTS, tier, headers.get('slipway-manifest') ?? '', partition),
        )
      } catch (error) {
        if (error instanceof ApiError) return new Response(error.message, { status: error.status })
        throw error
      }
    }
  }
  return TierEntrypoint
}

const roomsContext = (env: TiersEnv, tier: Tier) => ({
  objects: env.OBJECTS,
  tier,
  settings: liveSettingsOf(env),
  partitionFor: (actor: Actor, wanted: string) => partitionFor(env.OBJECTS, tier, actor, wanted),
  actorIn: (actor: Actor, partition: string) => withMembership(env.OBJECTS, tier, actor, partition),
})

/**
 * Returns the name of the partition for a call. Throws when there is no such partition: a call would create its Durable Object, and a
 * guessed name must not create one.
 */
async function partitionFor(objects: Objects, tier: Tier, actor: Actor, wanted: string): Promise<string> {
  if (wanted === APP_PARTITION) return APP_PARTITION
  const own = ownerOf(actor)
  if (wanted === OWN_PARTITION) {
    if (own !== null) return own
    throw actor === 'system'
      ? invalid('partition', 'must name the person whose records are meant')
      : notSignedIn()
  }
  if (wanted === own) return own
  // A team's Durable Object checks by itself that the team exists, and stores nothing for a guessed id.
  if (isTeamId(wanted)) return wanted
  const isKnown =
    isUserId(wanted) && (await directoryOf(objects, tier).users('find', { id: wanted })) !== null
  if (!isKnown) throw noSuchPartition()
  return wanted
}

/** Returns the sender, with `inTeam` for a member of the team that owns the partition. Only a team's Durable Object knows its members. */
async function withMembership(objects: Objects, tier: Tier, actor: Actor, partition: string): Promise<Actor> {
  if (!isTeamId(partition)) return actor
  const inside = await partitionOf(objects, tier, partition).actorHere(actor)
  if (inside === null) throw noSuchPartition()
  return inside
}

type PartitionStub = ReturnType<typeof partitionOf>

/**
 * Runs `call`. When the partition lacks the release's manifest, reads it from the directory and runs `call` again: the app's worker
 * sends the manifest only to the app's partition.
 */
const callPartition = (
  objects: Objects,
  tier: Tier,
  hash: string,
  name: string,
  call: (partition: PartitionStub) => Promise<DataText>,
): Promise<DataText> =>
  sendPrepared(
    () => call(partitionOf(objects, tier, name)),
    (text) => text === UNPREPARED_ANSWER && name !== APP_PARTITION,
    () => prepareFromDirectory(objects, tier, hash, name),
  )

async function prepareFromDirectory(
  objects: Objects,
  tier: Tier,
  hash: string,
  partition: string,
): Promise<boolean> {
  const manifest = await directoryOf(objects, tier).dirManifest(hash)
  if (manifest === null) return false
  await partitionOf(objects, tier, partition).prepare(hash, manifest)
  return true
}

export const Production = entrypointOf('production')
export const Preview = entrypointOf('preview')
