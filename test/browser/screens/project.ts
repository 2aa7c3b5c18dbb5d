import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

/** The pages of one project that has a build and has never been shipped. */
export const projectScreens = (projectId: string): Screen[] => [
  {
    name: 'workspace-build',
    path: href.project(projectId, { tab: 'build' }),
    ready: seen('heading', /^Ready$/),
  },
  {
    name: 'workspace-ticket',
    path: href.project(projectId, { tab: 'ticket' }),
    ready: seen('heading', 'Details'),
  },
  {
    name: 'workspace-plan',
    path: href.project(projectId, { tab: 'plan' }),
    ready: seen('heading', 'What comes next?'),
  },
  {
    name: 'workspace-tickets',
    path: href.project(projectId, { pane: 'tickets' }),
    ready: seen('button', /Track the plants/),
  },
  {
    name: 'workspace-preview',
    path: href.project(projectId, { pane: 'preview' }),
    ready: seen('button', 'Reload the preview'),
  },
  { name: 'ship', path: href.ship(projectId), ready: seen('heading', 'Before it ships') },
  {
    name: 'insights',
    path: href.insights(projectId),
    ready: seen('heading', 'No figures right now'),
  },
  {
    name: 'capabilities',
    path: href.capabilities(projectId),
    ready: seen('heading', 'Accounts and sign-in'),
  },
  {
    name: 'capability',
    path: href.capability(projectId, 'files'),
    ready: async (page) => {
      await seen('heading', 'File uploads')(page)
      await seen('button', 'Save settings')(page)
    },
  },
  {
    name: 'collection-not-live',
    reports: /404/,
    path: href.collection(projectId, 'plants'),
    ready: seen('heading', 'Ship once to see it'),
  },
  { name: 'assets', path: href.assets(projectId), ready: seen('heading', 'No assets yet') },
  { name: 'domain', path: href.domain(projectId), ready: seen('heading', 'No domain yet') },
  {
    name: 'project-not-found',
    reports: /404/,
    path: href.project('prj_unknown'),
    ready: seen('heading', 'Not found'),
  },
]
