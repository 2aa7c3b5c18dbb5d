import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import '../../testing/console.tsx'
import type * as Toasts from './toasts.ts'

test('a toast message that could not be rendered because its code failed to load is shown together with the next one', async (t) => {
  // A second instance of the module, because other tests of this process have loaded the view of the first instance.
  const instance = new URL('./toasts.ts?offline', import.meta.url).href
  let isOffline = true
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL === instance && specifier.endsWith('toast-view.tsx') && isOffline)
        throw new TypeError('Failed to fetch dynamically imported module')
      return next(specifier, context)
    },
  })
  t.after(() => {
    hooks.deregister()
    document.body.replaceChildren()
  })
  const { notify } = (await import(instance)) as typeof Toasts
  notify('While the service was down')
  await new Promise((resolve) => setImmediate(resolve))
  isOffline = false
  notify('The service is back')
  assert.ok(await screen.findByText('The service is back', { ignore: '[role=status]' }))
  assert.ok(screen.getByText('While the service was down', { ignore: '[role=status]' }))
})
