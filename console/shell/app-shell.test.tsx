import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, screen } from '@testing-library/react'
import { isThere, serve, show } from '../testing/console.tsx'
import { AppShell } from './app-shell.tsx'
import { isAccountGone } from './in-app-shell.ts'

describe('the layout of a signed-in page', () => {
  test("after the user's account is deleted, the deletion page stays on screen and the navigation disappears", async () => {
    serve({})
    const root = createRootRoute({ component: AppShell })
    const page = createRoute({
      getParentRoute: () => root,
      path: '/account/delete',
      component: () => <p>The page</p>,
    })
    const router = createRouter({
      routeTree: root.addChildren([page]),
      history: createMemoryHistory({ initialEntries: ['/account/delete'] }),
    })
    await router.load()
    // The provider accepts only the type of the app's router, so cast the test router.
    show(<RouterProvider router={router as never} />)
    const shown = await screen.findByText('The page')
    assert.ok(isThere('navigation'))
    act(() => isAccountGone.set(true))
    assert.ok(!isThere('navigation'))
    assert.ok(screen.getByText('The page') === shown, 'the page keeps its state')
  })
})
