import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import type { Store } from '../../../world/store.ts'
import {
  describeSession,
  isRejected,
  type MediaSection,
  sectionsOf,
  sendOnlySection,
} from './descriptions.ts'

/** The host of the API of Cloudflare Realtime, for the media server (SFU) and for TURN credentials. */
export const CALLS_HOST = 'rtc.live.cloudflare.com'

const SESSIONS_MAX = 1000
const Description = z.object({ type: z.enum(['offer', 'answer']), sdp: z.string() })
const NewTracks = z.object({
  sessionDescription: Description.optional(),
  tracks: z
    .array(
      z.discriminatedUnion('location', [
        z.object({ location: z.literal('local'), mid: z.string(), trackName: z.string() }),
        z.object({ location: z.literal('remote'), sessionId: z.string(), trackName: z.string() }),
      ]),
    )
    .min(1)
    .max(64),
})
const Renegotiation = z.object({ sessionDescription: z.object({ type: z.literal('answer') }) })
const ClosedTracks = z.object({
  tracks: z.array(z.object({ mid: z.string() })),
  force: z.boolean().optional(),
})
const Ttl = z.object({ ttl: z.int().min(1).max(172_800) })

interface MediaSession {
  appId: string
  sections: MediaSection[]
  /** Published and received tracks, by the `mid` of their section. */
  tracks: Map<string, { location: 'local' | 'remote'; trackName: string; sessionId: string }>
  isOffered: boolean
}

/**
 * Implements the media server's API: sessions, tracks and who published each track. Transmits no media; no server listens at the returned
 * TURN addresses.
 */
export class MediaServer {
  readonly #store: Store
  readonly #sessions = new Map<string, MediaSession>()
  readonly #routes: Hono

  constructor(store: Store) {
    this.#store = store
    this.#routes = this.#makeRoutes()
  }

  readonly answer = async (request: Request): Promise<Response> => this.#routes.fetch(request)

  #makeRoutes(): Hono {
    const requireSecret = (kind: string) =>
      createMiddleware(async (c, next) => {
        const secret = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
        const sql = 'SELECT 1 FROM calls_items WHERE kind = ? AND uid = ? AND secret = ?'
        const known = this.#store.get(sql, kind, c.req.param('id') ?? '', secret ?? '')
        return known === undefined ? c.json(errorBody('unauthorized', 'Unauthorized'), 401) : await next()
      })
    const app = '/v1/apps/:id'
    const session = `${app}/sessions/:session`
    return new Hono()
      .use(`${app}/*`, requireSecret('apps'))
      .use('/v1/turn/keys/:id/*', requireSecret('turn_keys'))
      .post('/v1/turn/keys/:id/credentials/generate-ice-servers', async (c) => {
        const given = Ttl.safeParse(await c.req.json().catch(() => null))
        if (!given.success) return c.json(errorBody('invalid_ttl', 'ttl must be 1 to 172800'), 400)
        return c.json({ iceServers: iceServers() }, 201)
      })
      .post(`${app}/sessions/new`, (c) => {
        const [oldest] = this.#sessions.keys()
        if (this.#sessions.size >= SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest)
        const sessionId = hexId()
        this.#sessions.set(sessionId, {
          appId: c.req.param('id'),
          sections: [],
          tracks: new Map(),
          isOffered: false,
        })
        return c.json({ sessionId }, 201)
      })
      .get(session, (c) => {
        const found = this.#findSession(c.req.param())
        if (found === null) return c.json(errorBody('session_error', 'Session not found'), 404)
        const tracks = [...found.tracks].map(([mid, track]) => ({ mid, status: 'active', ...track }))
        return c.json({ tracks })
      })
      .post(`${session}/tracks/new`, async (c) => {
        const found = this.#findSession(c.req.param())
        if (found === null) return c.json(errorBody('session_error', 'Session not found'), 404)
        const given = NewTracks.safeParse(await c.req.json().catch(() => null))
        if (!given.success) return c.json(errorBody('bad_request', given.error.message), 400)
        return c.json(this.#addTracks(c.req.param('session'), found, given.data))
      })
      .put(`${session}/renegotiate`, async (c) => {
        const found = this.#findSession(c.req.param())
        if (found === null) return c.json(errorBody('session_error', 'Session not found'), 404)
        const given = Renegotiation.safeParse(await c.req.json().catch(() => null))
        if (!given.success || !found.isOffered)
          return c.json(errorBody('bad_request', 'No offer waits for an answer'), 400)
        found.isOffered = false
        return c.json({})
      })
      .put(`${session}/tracks/close`, async (c) => {
        const found = this.#findSession(c.req.param())
        if (found === null) return c.json(errorBody('session_error', 'Session not found'), 404)
        const given = ClosedTracks.safeParse(await c.req.json().catch(() => null))
        if (!given.success) return c.json(errorBody('bad_request', given.error.message), 400)
        const tracks = given.data.tracks.map(({ mid }) =>
          found.tracks.delete(mid)
            ? { mid }
            : { mid, ...errorBody('close_track_error', 'Track does not exist or was already closed') },
        )
        return c.json({ requiresImmediateRenegotiation: false, tracks })
      })
  }

  #findSession({ id, session }: { id: string; session: string }): MediaSession | null {
    const found = this.#sessions.get(session)
    return found?.appId === id ? found : null
  }

  #addTracks(
    id: string,
    session: MediaSession,
    { sessionDescription, tracks }: z.output<typeof NewTracks>,
  ): object {
    if (sessionDescription !== undefined) {
      const own = new Map(session.sections.map((section) => [section.mid, section]))
      session.sections = sectionsOf(sessionDescription.sdp).map((section) =>
        isRejected(section) ? section : (own.get(section.mid) ?? section),
      )
    }
    const added = tracks.map((track) => {
      if (track.location === 'local') {
        const { mid, trackName } = track
        session.tracks.set(mid, { location: 'local', trackName, sessionId: id })
        return { mid, trackName }
      }
      const source = this.#sessions.get(track.sessionId)
      const published = [...(source?.appId === session.appId ? source.tracks : [])].find(
        ([, one]) => one.location === 'local' && one.trackName === track.trackName,
      )
      if (source === undefined || published === undefined)
        return { ...track, ...errorBody('not_found_track_error', 'Track not found') }
      const [sourceMid] = published
      // The next `mid` is one above the highest, not the number of sections: a browser that reuses positions leaves gaps in the `mid`s.
      const mid = String(Math.max(-1, ...session.sections.map((one) => Number(one.mid) || 0)) + 1)
      const isVideo = source.sections.some(
        (one) => one.mid === sourceMid && one.lines[0]?.startsWith('m=video') === true,
      )
      session.sections.push(sendOnlySection(mid, isVideo))
      session.tracks.set(mid, track)
      return { mid, trackName: track.trackName, sessionId: track.sessionId }
    })
    const isAnswer = sessionDescription !== undefined
    const isOffer = !isAnswer && added.some((one) => 'mid' in one)
    session.isOffered ||= isOffer
    const type = isAnswer ? 'answer' : 'offer'
    const sdp = describeSession(type, session.sections, id)
    return {
      requiresImmediateRenegotiation: isOffer,
      tracks: added,
      ...((isAnswer || isOffer) && { sessionDescription: { type, sdp } }),
    }
  }
}

const errorBody = (errorCode: string, errorDescription: string) => ({ errorCode, errorDescription })

const iceServers = () => [
  { urls: ['stun:127.0.0.1:3478'] },
  {
    urls: ['turn:127.0.0.1:3478?transport=udp', 'turn:127.0.0.1:53?transport=udp'],
    username: hexId(),
    credential: hexId(),
  },
]
