import { WorkerEntrypoint } from 'cloudflare:workers'
import type { AiCalls } from '../../ai/types.ts'
import { handoverKeyOf } from '../../auth/handover.ts'
import { authSettingsOf } from '../../auth/settings.ts'
import type { AuthCalls } from '../../auth/types.ts'
import type { ConnectCalls } from '../../connect/types.ts'
import type { DataBinding, DataCall, DataText } from '../../data/frames.ts'
import { searchFor } from '../../directory/search.ts'
import type { FilesCalls, OwnFilesCalls } from '../../files/types.ts'
import { eventSettingsOf } from '../../events/settings.ts'
import type { EventRules } from '../../events/types.ts'
import { emailSettingsOf } from '../../email/settings.ts'
import type { EmailCalls } from '../../email/types.ts'
import type { GuardCalls } from '../../guard/types.ts'
import type { HookCalls } from '../../hook/types.ts'
import { handleLive, openRoom, roomInPath } from '../../live/rpc.ts'
import { liveSettingsOf } from '../../live/settings.ts'
import { type LiveCalls, ROOM_HEADER } from '../../live/types.ts'
import type { PayCalls } from '../../pay/types.ts'
import type { PushCalls } from '../../push/types.ts'
import type { QueueCalls } from '../../queue/types.ts'
import type { RenderCalls } from '../../render/types.ts'
import type { TimerCalls, TimerOwner } from '../../schedule/types.ts'
import { meterLimitsOf } from '../../meter/settings.ts'
import type { MeterCalls } from '../../meter/types.ts'
import { teamSettingsOf } from '../../team/settings.ts'
import type { RoledTeamCalls } from '../../team/types.ts'
import type { VideoCalls } from '../../video/types.ts'
import { type Actor, type Caller, isTeamId, isUserId, ownerOf, parseToken } from '../../kernel/actor.ts'
import type { LiveBinding, LiveBindings } from '../../kernel/calls.ts'
import type { LiveContext } from '../../kernel/rpc-method.ts'
import { ApiError, invalid, notSignedIn, toFailure, noSuchPartition } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import {
  accountOf,
  directoryOf,
  filesOf,
  type Objects,
  partitionOf,
  scheduleOf,
  type Tier,
} from '../../kernel/objects.ts'
import { ACTOR_HEADER, type SocketHeaders } from '../../data/socket-headers.ts'

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
const SIGNED_OUT: DataText = JSON.stringify({
  ok: false,
  error: { code: 'unauthorized', message: 'Sign in first.' },
})
const APP_PARTITION = 'app'
/** The partition name by which the app's worker means the caller's own partition. */
const OWN_PARTITION = 'own'
const CALLER_HEADER = 'slipway-caller'

const loadRpc = () => import('./rpc.ts')

/**
 * Returns the entrypoint class for the live app or for its preview. The class adds the tier's prefix to the names of
 * Durable Objects, so that code of the preview cannot reach an object of production. The tier is a variable of the
 * closure and not an argument of the constructor, because Cloudflare creates the instances, one for every call. The
 * class alone decides who the caller is, from the session that the browser sent. The app's worker can call every
 * method, and after a rollback that worker belongs to an older release: add methods, never change one.
 */
function entrypointOf(tier: Tier) {
  const placeOf = (env: TiersEnv): LiveContext => ({ objects: env.OBJECTS, tier, env })

  return class TierEntrypoint
    extends WorkerEntrypoint<TiersEnv>
    implements LiveBinding, DataBinding, EveryLiveBinding
  {
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

    async data(hash: string, caller: Caller, call: DataCall): Promise<DataText> {
      const { OBJECTS } = this.env
      const token = typeof caller === 'string' ? null : parseToken(caller.session)
      // A person's Durable Object has both the session and the records, so one call is enough.
      if (token !== null && call.partition === OWN_PARTITION && call.kind !== 'search')
        return await callPrepared(
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
        return await callPrepared(OBJECTS, tier, hash, partition, (one) => one.data(hash, actor, call))
      } catch (error) {
        if (error instanceof ApiError) return JSON.stringify({ ok: false, error: toFailure(error) })
        throw error
      }
    }

    files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']) {
      return filesOf(this.env.OBJECTS, tier).files(kind, ask)
    }

    async ownFiles<Kind extends keyof OwnFilesCalls>(
      session: string,
      kind: Kind,
      ask: OwnFilesCalls[Kind]['ask'],
    ) {
      const { OBJECTS } = this.env
      const actor = await actorOf(OBJECTS, tier, { session })
      return (await loadRpc()).handleOwnFiles({ objects: OBJECTS, tier, actor }, kind, ask)
    }

    async auth<Kind extends keyof AuthCalls>(kind: Kind, ask: AuthCalls[Kind]['ask']) {
      const settings = authSettingsOf(this.env)
      const handoverKey = handoverKeyOf(this.env)
      const { isOn: hasEmail } = emailSettingsOf(this.env)
      return (await loadRpc()).handleAuth(
        { objects: this.env.OBJECTS, tier, settings, handoverKey, hasEmail },
        kind,
        ask,
      )
    }

    async meter<Kind extends keyof MeterCalls>(hash: string, kind: Kind, ask: MeterCalls[Kind]['ask']) {
      const { OBJECTS } = this.env
      const requirePartition = (name: string) => partitionFor(OBJECTS, tier, 'system', name)
      const limits = meterLimitsOf(this.env)
      return (await loadRpc()).handleMeter(
        { objects: OBJECTS, tier, limits, requirePartition },
        hash,
        kind,
        ask,
      )
    }

    async team<Kind extends keyof RoledTeamCalls>(kind: Kind, ask: RoledTeamCalls[Kind]['ask']) {
      const { OBJECTS } = this.env
      const { isOn: hasEmail } = emailSettingsOf(this.env)
      return (await loadRpc()).handleTeam(
        { objects: OBJECTS, tier, settings: teamSettingsOf(this.env), hasEmail },
        kind,
        ask,
      )
    }

    async queue<Kind extends keyof QueueCalls>(kind: Kind, ask: QueueCalls[Kind]['ask']) {
      return (await loadRpc()).handleQueue(placeOf(this.env), kind, ask)
    }

    async ai<Kind extends keyof AiCalls>(kind: Kind, ask: AiCalls[Kind]['ask']) {
      return (await loadRpc()).handleAi(placeOf(this.env), kind, ask)
    }

    async guard<Kind extends keyof GuardCalls>(kind: Kind, ask: GuardCalls[Kind]['ask']) {
      return (await loadRpc()).handleGuard(placeOf(this.env), kind, ask)
    }

    async hook<Kind extends keyof HookCalls>(hash: string, kind: Kind, ask: HookCalls[Kind]['ask']) {
      return (await loadRpc()).handleHook(placeOf(this.env), hash, kind, ask)
    }

    async email<Kind extends keyof EmailCalls>(kind: Kind, ask: EmailCalls[Kind]['ask']) {
      return (await loadRpc()).handleEmail(placeOf(this.env), kind, ask)
    }

    async pay<Kind extends keyof PayCalls>(kind: Kind, ask: PayCalls[Kind]['ask']) {
      return (await loadRpc()).handlePay(placeOf(this.env), kind, ask)
    }

    async connections<Kind extends keyof ConnectCalls>(kind: Kind, ask: ConnectCalls[Kind]['ask']) {
      return (await loadRpc()).handleConnect(placeOf(this.env), kind, ask)
    }

    async eventRules(): Promise<EventRules> {
      const salt = await directoryOf(this.env.OBJECTS, tier).dirEventSalt()
      return { ...salt, ...eventSettingsOf(this.env) }
    }

    async push<Kind extends keyof PushCalls>(kind: Kind, ask: PushCalls[Kind]['ask']) {
      return (await loadRpc()).handlePush(placeOf(this.env), kind, ask)
    }

    async renders<Kind extends keyof RenderCalls>(kind: Kind, ask: RenderCalls[Kind]['ask']) {
      return (await loadRpc()).handleRender(placeOf(this.env), kind, ask)
    }

    async videos<Kind extends keyof VideoCalls>(kind: Kind, ask: VideoCalls[Kind]['ask']) {
      return (await loadRpc()).handleVideo(placeOf(this.env), kind, ask)
    }

    async timers<Kind extends keyof TimerCalls>(owner: TimerOwner, kind: Kind, ask: TimerCalls[Kind]['ask']) {
      return (await loadRpc()).handleTimers(this.env.OBJECTS, tier, { owner, kind, ask })
    }

    rooms<Kind extends keyof LiveCalls>(hash: string, kind: Kind, ask: LiveCalls[Kind]['ask']) {
      return handleLive(placeOfRooms(this.env, tier), hash, kind, ask)
    }

    /** Opens a socket to a live room, or to one partition: `?partition=`, by default the app's own partition. */
    async fetch(request: Request): Promise<Response> {
      const { OBJECTS } = this.env
      const headers = new Headers(request.headers) as SocketHeaders
      const session = headers.get(CALLER_HEADER)
      const actor = await actorOf(OBJECTS, tier, session === null ? 'anonymous' : { session })
      // Always set, so that a browser cannot choose who it is.
      headers.set(ACTOR_HEADER, JSON.stringify(actor))
      headers.delete(CALLER_HEADER)
      headers.delete(ROOM_HEADER)
      try {
        if (roomInPath(new URL(request.url).pathname) !== null)
          return await openRoom(
            placeOfRooms(this.env, tier),
            actor,
            new Request(request.url, { headers }),
            (hash, partition) => prepareFromDirectory(OBJECTS, tier, hash, partition),
          )
        const wanted = new URL(request.url).searchParams.get('partition') ?? APP_PARTITION
        const partition = await partitionFor(OBJECTS, tier, actor, wanted)
        // Record the team in the person's Durable Object, so that signing out finds the socket.
        if (isTeamId(partition) && typeof actor !== 'string')
          await accountOf(OBJECTS, tier, actor.userId).memberships('follow', { team: partition })
        const connect = () =>
          partitionOf(OBJECTS, tier, partition).fetch(new Request(request.url, { headers }))
        const response = await connect()
        if (response.status !== 409 || partition === APP_PARTITION) return response
        const hash = headers.get('slipway-manifest') ?? ''
        return (await prepareFromDirectory(OBJECTS, tier, hash, partition)) ? await connect() : response
      } catch (error) {
        if (error instanceof ApiError) return new Response(error.message, { status: error.status })
        throw error
      }
    }
  }
}

const placeOfRooms = (env: TiersEnv, tier: Tier) => ({
  objects: env.OBJECTS,
  tier,
  settings: liveSettingsOf(env),
  partitionFor: (actor: Actor, wanted: string) => partitionFor(env.OBJECTS, tier, actor, wanted),
  actorIn: (actor: Actor, partition: string) => withMembership(env.OBJECTS, tier, actor, partition),
})

/** Returns the person of a session. A session that is not valid counts as a visitor. */
async function actorOf(objects: Objects, tier: Tier, caller: Caller): Promise<Actor> {
  if (typeof caller === 'string') return caller
  const token = parseToken(caller.session)
  if (token === null) return 'anonymous'
  return (await accountOf(objects, tier, token.userId).account('person', token)) ?? 'anonymous'
}

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

/** Returns the sender, with `inTeam` for a member of the team whose partition this is. Only a team's Durable Object knows its members. */
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
async function callPrepared(
  objects: Objects,
  tier: Tier,
  hash: string,
  name: string,
  call: (partition: PartitionStub) => Promise<DataText>,
): Promise<DataText> {
  const answer = await call(partitionOf(objects, tier, name))
  if (answer !== UNPREPARED_ANSWER || name === APP_PARTITION) return answer
  return (await prepareFromDirectory(objects, tier, hash, name))
    ? await call(partitionOf(objects, tier, name))
    : answer
}

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
