import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clearDrafts } from '../../../shell/clear-drafts.ts'
import { openDraft } from '../../../shell/drafts.ts'
import { Refusal, serve } from '../../../testing/console.tsx'
import { attachmentsOf, type DraftAttachment } from './attachment-store.ts'

const MIB = 1024 * 1024
let lastProject = 0
const newProject = () => `prj_files_${++lastProject}`
const kept = (key: string, size = 10): DraftAttachment => ({
  key,
  mediaType: 'image/png',
  name: `${key}.png`,
  size,
})
const storeDraft = (projectId: string, files: unknown) =>
  openDraft('plan-files', projectId).store(typeof files === 'string' ? files : JSON.stringify(files))
const readDraft = (projectId: string) => openDraft('plan-files', projectId).read()
const pngFile = (name: string, content = name) => new File([content], name, { type: 'image/png' })

describe('the files of the next message to the plan agent', () => {
  test("the attached files of a project's draft are read from storage once, and every caller gets the same store", () => {
    const projectId = newProject()
    storeDraft(projectId, [kept('a'), kept('b')])
    const store = attachmentsOf(projectId)
    assert.deepEqual(store.get(), { kept: [kept('a'), kept('b')], uploads: [], refused: [] })
    storeDraft(projectId, [])
    assert.equal(attachmentsOf(projectId), store)
    assert.deepEqual(attachmentsOf(newProject()).get().kept, [])
  })

  test('a stored draft of attached files that is not a list is ignored', () => {
    for (const draft of ['{', '"a"', '{"key":"a"}', 'null', '7']) {
      const projectId = newProject()
      storeDraft(projectId, draft)
      assert.deepEqual(attachmentsOf(projectId).get().kept, [], draft)
    }
  })

  test('removing one attached file keeps the others in the stored draft, and removing the last removes the draft', () => {
    const projectId = newProject()
    storeDraft(projectId, [kept('a'), kept('b'), kept('c')])
    const store = attachmentsOf(projectId)
    const shown: string[] = []
    store.subscribe(() =>
      shown.push(
        store
          .get()
          .kept.map(({ key }) => key)
          .join(),
      ),
    )
    store.remove(['a', 'x'])
    assert.deepEqual(JSON.parse(readDraft(projectId)), [kept('b'), kept('c')])
    store.remove(['b', 'c'])
    assert.equal(readDraft(projectId), '')
    assert.deepEqual([...new Set(shown)], ['b,c', ''])
  })

  test('attached files count towards the limits, and removing a file clears the list of refused files', () => {
    const projectId = newProject()
    storeDraft(projectId, [...Array.from({ length: 19 }, (_, n) => kept(`k${n}`)), kept('last')])
    const store = attachmentsOf(projectId)
    store.add([pngFile('more.png')])
    assert.deepEqual(store.get().refused, [{ name: 'more.png', problem: 'tooMany' }])
    store.remove(['last'])
    assert.deepEqual(store.get().refused, [])
    const full = newProject()
    storeDraft(full, [kept('big', 32 * MIB)])
    attachmentsOf(full).add([pngFile('more.png')])
    assert.deepEqual(attachmentsOf(full).get().refused, [{ name: 'more.png', problem: 'tooMany' }])
  })

  test('signing out discards attached files and stops their uploads, so that the next user starts with none', async () => {
    const projectId = newProject()
    storeDraft(projectId, [kept('a')])
    const begun = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<unknown>()
    serve({
      [`POST /projects/${projectId}/attachments/upload-init`]: () => {
        begun.resolve()
        return answer.promise
      },
    })
    const store = attachmentsOf(projectId)
    store.add([pngFile('b.png')])
    await begun.promise
    clearDrafts('usr_ada')
    answer.resolve(new Refusal(403, 'forbidden', 'You are signed out.'))
    assert.deepEqual(attachmentsOf(projectId).get(), { kept: [], uploads: [], refused: [] })
    assert.notEqual(attachmentsOf(projectId), store)
    assert.equal(readDraft(projectId), '')
  })
})
