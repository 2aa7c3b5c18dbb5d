import { Hono } from 'hono'
import * as z from 'zod'
import { type Github, type GithubEnv, GithubFailure, notFound } from '../context.ts'
import { BUILT_IN_CLIENT } from '../oauth/routes.ts'
import { deleteToken } from '../tokens.ts'

const Body = z.looseObject({ access_token: z.string() })

/** How a client gives a token back: signed in as the client itself, not as a person. */
export function applicationRoutes(github: Github): Hono<GithubEnv> {
  return new Hono<GithubEnv>().delete('/:client/token', async (c) => {
    const encoded = /^Basic +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    const client = Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
    if (client !== BUILT_IN_CLIENT) throw new GithubFailure(401, 'Bad credentials')
    const read = Body.safeParse(await c.req.json().catch(() => null))
    if (!read.success) throw new GithubFailure(422, 'access_token is missing')
    if (client !== c.req.param('client') || !deleteToken(github.store, read.data.access_token, client))
      throw notFound()
    return c.body(null, 204)
  })
}
