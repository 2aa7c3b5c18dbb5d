import assert from 'node:assert/strict'
import { test } from 'node:test'
import { href } from '../routes.ts'
import { parentPage } from './parent-page.ts'

test('a page of a project has the page one step up its path as parent, any other page the list of projects, and that list no parent', () => {
  const steps: [from: string, to: string | null][] = [
    [href.collection('prj_1', 'plants').split('?')[0] ?? '', href.capabilities('prj_1')],
    [href.capabilities('prj_1'), href.project('prj_1')],
    [href.project('prj_1'), href.projects()],
    [href.keys(), href.projects()],
    [href.activity(), href.projects()],
    [href.projects(), null],
  ]
  for (const [from, to] of steps) assert.equal(parentPage(from), to)
})
