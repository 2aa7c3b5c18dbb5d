import { env } from 'cloudflare:workers'

/** A page that the app has rendered. While an app is checked nothing is opened: the result is a few bytes that say so. */
export interface TestRender {
  action: 'pdf' | 'screenshot' | 'markdown' | 'html'
  url?: string
  html?: string
}

/** Returns what was rendered so far, the oldest first. */
export const renderedPages = (): Promise<TestRender[]> =>
  (env['BOX'] as { renders(): Promise<TestRender[]> }).renders()
