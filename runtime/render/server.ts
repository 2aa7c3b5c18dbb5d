import { env } from 'cloudflare:workers'
import { requireLive } from '../kernel/worker/env.ts'
import { ownOrigins } from '../kernel/worker/own-origins.ts'
import type { Browser } from './within-budget.ts'
import { createRenderer, type ServerRender } from './renderer.ts'

export type { PageSource, PdfOptions, ScreenshotOptions } from './types.ts'
export type { ServerRender } from './renderer.ts'

export const render: ServerRender = createRenderer(() => ({
  counter: requireLive('render'),
  browser: env['BROWSER'] as Browser,
  own: ownOrigins(),
}))
