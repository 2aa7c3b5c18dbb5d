import { env } from 'cloudflare:workers'
import type { ProviderId } from '../types.gen.ts'

interface Answers {
  set(host: string, route: string, status: number, body: unknown): Promise<void>
}

/** Says what a service answers from now on: `route` is like `GET /user`, without a query. */
export async function answerOfService(
  provider: ProviderId,
  route: string,
  body: unknown,
  { status = 200 }: { status?: number } = {},
): Promise<void> {
  await (env['SERVICES'] as Answers).set(`${provider}.test`, route, status, body)
}
