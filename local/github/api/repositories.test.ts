import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { FLUSH_PACKET, pktLine } from '../git/pkt-line.ts'
import { NO_OBJECT } from '../git/refs.ts'
import { gitCommit, gitObject, type GitObject, objectId, packOfObjects } from '../git/testing.ts'
import { testGithub } from '../../testing/github.ts'

const README = gitObject('blob', '# Shop\n')
const entryOf = (mode: string, name: string, object: GitObject) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(objectId(object), 'hex')])
const DOCS = gitObject('tree', entryOf('100644', 'README.md', README))
const EMPTY = gitObject('tree', '')
const LINK = gitObject('blob', 'notes/../notes/README.md')
const FAR_LINK = gitObject('blob', '../../etc/passwd')
const FOLDER_LINK = gitObject('blob', 'notes')
/** A tree with symbolic links, and with a submodule, whose commit is in another repository. */
const ODD = gitObject(
  'tree',
  Buffer.concat([
    entryOf('120000', 'far', FAR_LINK),
    entryOf('120000', 'folder', FOLDER_LINK),
    entryOf('120000', 'link', LINK),
    entryOf('40000', 'notes', DOCS),
    Buffer.concat([Buffer.from('160000 other\0'), Buffer.from('ab'.repeat(20), 'hex')]),
  ]),
)
const TREE = gitObject('tree', entryOf('40000', 'notes', DOCS))
const THIRD = gitCommit(objectId(ODD), 'third')
const FIRST = gitCommit(objectId(EMPTY), 'first')
const SECOND = gitCommit(objectId(TREE), 'second', [objectId(FIRST)])
const [first, second] = [objectId(FIRST), objectId(SECOND)]
const TAG = gitObject(
  'tag',
  `object ${second}\ntype commit\ntag v1\ntagger Ada <a@example.test> 1 +0000\n\nOne\n`,
)
const TREE_TAG = gitObject(
  'tag',
  `object ${objectId(TREE)}\ntype tree\ntag t\ntagger Ada <a@example.test> 1 +0000\n\nT\n`,
)

describe('repositories in the REST API of the local code host', () => {
  const host = testGithub()
  const token = host.tokenOf('Ada')
  after(() => host.close())

  const callApi = async (path: string, init: RequestInit = {}, secret = token) => {
    const answer = await host.request(`/api/v3/repos/ada${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}` },
    })
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, unknown> & { message?: string },
    }
  }
  const patch = (name: string, body: unknown, secret = token) =>
    callApi(
      `/${name}`,
      { method: 'PATCH', body: typeof body === 'string' ? body : JSON.stringify(body) },
      secret,
    )
  const createRepository = (name: string, isPrivate = false) =>
    host.client(token).rest.repos.createForAuthenticatedUser({ name, private: isPrivate })
  const refusal = async (call: ReturnType<typeof callApi>) => {
    const { status, body } = await call
    return [status, body.message]
  }
  before(async () => {
    await createRepository('empty')
    await createRepository('shop')
    const commands = [
      ['refs/heads/main', second],
      ['refs/heads/feature/one', first],
      ['refs/tags/v1', objectId(TAG)],
      ['refs/tags/light', first],
      ['refs/tags/tree', objectId(TREE_TAG)],
      ['refs/tags/odd', objectId(THIRD)],
    ].map(([name, to], at) => pktLine(`${NO_OBJECT} ${to} ${name}${at === 0 ? '\0report-status' : ''}`))
    const objects = [
      README,
      DOCS,
      EMPTY,
      TREE,
      FIRST,
      SECOND,
      TAG,
      TREE_TAG,
      LINK,
      FAR_LINK,
      FOLDER_LINK,
      ODD,
      THIRD,
    ]
    const body = new Uint8Array(Buffer.concat([...commands, FLUSH_PACKET, packOfObjects(objects)]))
    const headers = { authorization: `Bearer ${token}` }
    const report = await host.request('/ada/shop.git/git-receive-pack', { method: 'POST', headers, body })
    assert.doesNotMatch(await report.text(), /ng /)
  })

  test("a repository's branches are listed without tags, and a branch with a slash in its name is found", async () => {
    const shapeOf = (name: string, sha: string) => ({ name, commit: { sha }, protected: false })
    assert.deepEqual(
      [await callApi('/shop/branches'), await callApi('/shop/branches/feature/one')],
      [
        { status: 200, body: [shapeOf('feature/one', first), shapeOf('main', second)] },
        { status: 200, body: shapeOf('feature/one', first) },
      ],
    )
    assert.deepEqual(await refusal(callApi('/shop/branches/v1')), [404, 'Branch not found'])
  })

  test('the history of a branch, tag or commit begins at the commit that it names', async () => {
    const historyOf = async (query: string) => {
      const { status, body } = await callApi(`/shop/commits${query}`)
      return [status, ...(body as unknown as { sha: string }[]).map(({ sha }) => sha)]
    }
    assert.deepEqual(
      [
        await historyOf(''),
        await historyOf('?sha=feature/one'),
        await historyOf('?sha=light'),
        await historyOf('?sha=v1'),
        await historyOf(`?sha=${first}`),
      ],
      [
        [200, second, first],
        [200, first],
        [200, first],
        [200, second, first],
        [200, first],
      ],
    )
  })

  test('the history of an empty repository returns 409, and of an unknown ref or a non-commit object 404', async () => {
    const unknown = 'f'.repeat(40)
    assert.deepEqual(
      [
        await refusal(callApi('/empty/commits')),
        await refusal(callApi('/empty/commits?sha=none')),
        await refusal(callApi('/shop/commits?sha=none')),
        await refusal(callApi(`/shop/commits?sha=${unknown}`)),
        await refusal(callApi(`/shop/commits?sha=${objectId(README)}`)),
        await refusal(callApi('/shop/commits?sha=tree')),
      ],
      [
        [409, 'Git Repository is empty.'],
        [409, 'Git Repository is empty.'],
        ...Array.from({ length: 4 }, () => [404, 'Not Found']),
      ],
    )
  })

  test('a ref is returned with the type of its object: a commit, or an annotated tag', async () => {
    const refOf = async (ref: string) => (await callApi(`/shop/git/ref/${ref}`)).body
    assert.deepEqual(
      [await refOf('heads/main'), await refOf('tags/light'), await refOf('tags/v1')],
      [
        { ref: 'refs/heads/main', object: { type: 'commit', sha: second } },
        { ref: 'refs/tags/light', object: { type: 'commit', sha: first } },
        { ref: 'refs/tags/v1', object: { type: 'tag', sha: objectId(TAG) } },
      ],
    )
    assert.deepEqual(await refusal(callApi('/shop/git/ref/heads/none')), [404, 'Not Found'])
  })

  test("a repository's file is returned with its content, and a folder with its entries, at any branch, tag or commit", async () => {
    const file = {
      type: 'file',
      encoding: 'base64',
      size: 7,
      name: 'README.md',
      path: 'notes/README.md',
      sha: objectId(README),
      content: `${Buffer.from('# Shop\n').toString('base64')}\n`,
    }
    const folder = [{ type: 'dir', name: 'notes', path: 'notes', sha: objectId(DOCS) }]
    const contentsOf = async (path: string) => (await callApi(`/shop/contents${path}`)).body
    assert.deepEqual(
      [
        await contentsOf('/notes/README.md'),
        await contentsOf('/notes/README.md?ref=v1'),
        await contentsOf('?ref=main'),
        await contentsOf('/notes'),
        await contentsOf(`?ref=${first}`),
      ],
      [
        file,
        file,
        folder,
        [{ type: 'file', name: 'README.md', path: 'notes/README.md', sha: objectId(README) }],
        [],
      ],
    )
  })

  test('a slash before or after a repository path changes neither the content nor the names in the response', async () => {
    const bodyOf = async (path: string) => (await callApi(`/shop/contents/${path}`)).body
    for (const path of ['notes/', '/notes', 'notes//'])
      assert.deepEqual(await bodyOf(path), await bodyOf('notes'), path)
    const file = await bodyOf('notes/README.md')
    assert.deepEqual(await bodyOf('notes/README.md/'), file)
    assert.deepEqual([file['name'], file['path']], ['README.md', 'notes/README.md'])
  })

  test("GitHub's own client reads the top folder, which lists a submodule as a file and a symbolic link as a link", async () => {
    const { data } = await host
      .client(token)
      .rest.repos.getContent({ owner: 'ada', repo: 'shop', path: '', ref: 'odd' })
    assert.ok(Array.isArray(data))
    assert.deepEqual(
      data.map(({ name, type }) => [name, type]),
      [
        ['far', 'symlink'],
        ['folder', 'symlink'],
        ['link', 'symlink'],
        ['notes', 'dir'],
        ['other', 'file'],
      ],
    )
  })

  test('a symbolic link is read as its target when that is a file in the repository, else as the link', async () => {
    const read = async (path: string) => (await callApi(`/shop/contents/${path}?ref=odd`)).body
    const file = await read('link')
    assert.deepEqual(
      [file['type'], file['path'], file['content']],
      ['file', 'link', `${Buffer.from('# Shop\n').toString('base64')}\n`],
    )
    const far = { type: 'symlink', target: '../../etc/passwd', size: 16, name: 'far', path: 'far' }
    assert.deepEqual(await read('far'), { ...far, sha: objectId(FAR_LINK) })
    assert.deepEqual((await read('folder'))['target'], 'notes')
    assert.deepEqual(await refusal(callApi('/shop/contents/other?ref=odd')), [404, 'Not Found'])
  })

  test('the contents of an unknown path, branch or commit, and of a path below a file, return 404', async () => {
    const paths = [
      '/shop/contents/none',
      '/shop/contents/notes/README.md/x',
      '/shop/contents?ref=none',
      `/shop/contents?ref=${'f'.repeat(40)}`,
      `/shop/contents?ref=${objectId(README)}`,
      '/empty/contents',
    ]
    const found = []
    for (const path of paths) found.push(await refusal(callApi(path)))
    assert.deepEqual(
      found,
      paths.map(() => [404, 'Not Found']),
    )
  })

  test('changing a repository returns the new values and the time of the change', async () => {
    await createRepository('changed')
    host.clock.advance(90_000)
    const { status, body } = await patch('changed', { description: 'Ours', visibility: 'private' })
    assert.deepEqual(
      [status, body['description'], body['private'], body['updated_at'], (await callApi('/changed')).body],
      [200, 'Ours', true, new Date(host.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'), body],
    )
    assert.equal((await patch('changed', { description: null })).body['description'], null)
  })

  test('two simultaneous changes of a repository both take effect', async () => {
    await createRepository('race')
    await Promise.all([patch('race', { private: true }), patch('race', { description: 'Ours' })])
    const { body } = await callApi('/race')
    assert.deepEqual([body['private'], body['description']], [true, 'Ours'])
  })

  test('an invalid update of a repository changes nothing', async () => {
    const before = (await callApi('/shop')).body
    assert.deepEqual(
      [
        await refusal(patch('shop', 'no json')),
        await refusal(patch('shop', { description: 'x'.repeat(351) })),
        await refusal(patch('shop', { visibility: 'internal' })),
        await refusal(patch('shop', { name: 'other' })),
        await refusal(patch('shop', { default_branch: 'none', private: true })),
        await refusal(patch('shop', { default_branch: 'v1' })),
      ],
      [
        [422, 'Validation Failed'],
        [422, 'Validation Failed'],
        [422, 'Validation Failed'],
        [422, 'this code host does not rename repositories'],
        [422, 'The branch none was not found'],
        [422, 'The branch v1 was not found'],
      ],
    )
    assert.deepEqual((await callApi('/shop')).body, before)
    assert.equal(
      (await patch('shop', { default_branch: 'feature/one' })).body['default_branch'],
      'feature/one',
    )
    assert.equal(
      (await patch('shop', { default_branch: 'main', name: 'shop' })).body['default_branch'],
      'main',
    )
  })

  test('a private repository is hidden from other users and public-only tokens, and other users can change no repository', async () => {
    await createRepository('secret', true)
    const stranger = host.tokenOf('Stranger')
    const narrow = host.tokenOf('Ada', ['public_repo'])
    const statusOf = async (call: ReturnType<typeof callApi>) => (await call).status
    assert.deepEqual(
      [
        await statusOf(callApi('/shop', {}, stranger)),
        await statusOf(patch('shop', { private: true }, stranger)),
        await statusOf(callApi('/secret', {}, stranger)),
        await statusOf(patch('secret', { private: false }, stranger)),
        await statusOf(callApi('/secret/branches', {}, stranger)),
        await statusOf(callApi('/secret/contents', {}, stranger)),
        await statusOf(callApi('/secret', {}, narrow)),
        await statusOf(patch('shop', { description: 'Narrow' }, narrow)),
      ],
      [200, 404, 404, 404, 404, 404, 404, 200],
    )
    assert.equal((await callApi('/secret')).body['private'], true)
  })
})
