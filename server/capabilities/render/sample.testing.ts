import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  // Rendering a PDF needs an installed browser, so it has a separate route that a test without a browser need not call.
  routes: `routes.post('/letter.pdf', async (c) => c.body(await render.pdf({ html: '<p>It is written.</p>' })))`,
}
