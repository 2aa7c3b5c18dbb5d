import { env } from 'cloudflare:workers'

/** A rendering that the app requested. In an app's tests no browser renders it; the result is a few placeholder bytes. */
export interface TestRender {
  action: 'pdf' | 'screenshot' | 'markdown' | 'html'
  url?: string
  html?: string
}

/** Returns the requested renderings, oldest first. */
export const renderedPages = (): Promise<TestRender[]> =>
  (env['BOX'] as { renders(): Promise<TestRender[]> }).renders()
