import { env } from 'cloudflare:workers'
import type { ProviderId } from '../types.gen.ts'

interface Answers {
  set(host: string, route: string, status: number, body: unknown): Promise<void>
}

/** Sets a service's response to `route`, such as `GET /user` (without a query string). The response applies until another one is set. */
export async function answerOfService(
  provider: ProviderId,
  route: string,
  body: unknown,
  { status = 200 }: { status?: number } = {},
): Promise<void> {
  await (env['SERVICES'] as Answers).set(`${provider}.test`, route, status, body)
}
