import { proxyResponse } from '../../cloudflare/proxy-response.ts'
import type { RequestContext } from '../../endpoint.ts'
import type { BytesResponse } from '../../http/endpoint.ts'
import { conflict } from '../../http/errors.ts'
import type { ProjectRow } from '../../projects/store.ts'
import { appName } from '../../resource-names.ts'
import { callOperatorForBytes } from '../operator/call.ts'

/** The timeout of the request to the app. Longer than a rendering in the app can take with the maximum of the setting `timeoutMs`. */
const RENDER_MS_MAX = 145_000

/** The formats in which a page can be rendered. */
export const CONTENT_TYPES = {
  pdf: 'application/pdf',
  screenshot: 'image/png',
  markdown: 'text/markdown; charset=utf-8',
} as const
export type RenderFormat = keyof typeof CONTENT_TYPES

/**
 * Renders a page of the live app, or of a host that its settings allow, and returns the bytes. Throws `conflict` for an app that is not
 * live.
 */
export async function runRender(
  ctx: RequestContext<'accounts'>,
  project: ProjectRow,
  { as, url }: { as: RenderFormat; url: string },
): Promise<BytesResponse> {
  if (project.lifecycle !== 'live' || project.url === null)
    throw conflict('The app is not live. Ship the project first.')
  const { subdomain, endpoints } = await ctx.accounts.requireCloud(project.org_id, { project })
  // The app's own origins, from which the app may render pages. A path is resolved against the first origin. The
  // worker's address remains valid after a custom domain was attached.
  const own = [project.url, endpoints.appUrl(appName(project, 'production'), subdomain)]
  const rendered = await callOperatorForBytes(ctx, project, {
    tier: 'production',
    method: 'POST',
    path: '/render/run',
    body: { as, url, own: own.map((address) => new URL(address).origin) },
    timeoutMs: RENDER_MS_MAX,
    bytesMax: Infinity,
    signal: ctx.signal,
  })
  return proxyResponse(rendered, CONTENT_TYPES[as])
}
