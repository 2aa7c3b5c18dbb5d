import { env } from 'cloudflare:workers'

/** While an app is checked no browser opens a page: the result is a few bytes that say so. */
export interface TestRender {
  action: 'pdf' | 'screenshot' | 'markdown' | 'html'
  url?: string
  html?: string
}

/** The oldest first. */
export const renderedPages = (): Promise<TestRender[]> =>
  (env['BOX'] as { renders(): Promise<TestRender[]> }).renders()
