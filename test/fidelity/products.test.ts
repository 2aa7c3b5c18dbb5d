import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { testBrowserPath } from '../../server/testing/chromium.ts'
import { mp4 } from '../../server/testing/apps/mp4.ts'
import { api, askApp, control, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
import { waitUntil } from 'cloudflare:workers'
const routes = {
  '/point': async (request, env) => {
    for (let i = 0; i < 50; i++) waitUntil(env.EVENTS.writeDataPoint({ indexes: ['sale'], blobs: ['sale', 'eu'], doubles: [i] }))
    return Response.json('written')
  },
  '/text': async (request, env) => Response.json(await env.AI.run('@cf/meta/llama-3.1-8b-instruct', { prompt: 'say ferns' }, { gateway: { id: 'shop' } })),
  '/json': async (request, env) => Response.json(await env.AI.run('@cf/meta/llama-3.1-8b-instruct', {
    messages: [{ role: 'user', content: 'a plant' }],
    response_format: { type: 'json_schema', json_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  })),
  '/stream': async (request, env) => new Response(await env.AI.run('@cf/meta/llama-3.1-8b-instruct', { prompt: 'say ferns', stream: true })),
  '/vectors': async (request, env) => Response.json(await env.AI.run('@cf/baai/bge-base-en-v1.5', { text: ['red fern', 'green fern', 'diesel engine'] })),
  '/elsewhere': async (request, env) => env.AI.gateway('shop').run({
    provider: 'compat',
    endpoint: 'chat/completions',
    headers: request.url.endsWith('?key') ? { authorization: 'Bearer sk-of-the-provider' } : {},
    query: { model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'say ferns' }] },
  }),
  '/nobody': async (request, env) => Response.json(await env.AI.run('@cf/no/such', { prompt: 'x' })),
  '/upload-link': async (request, env) => Response.json(await env.STREAM.createDirectUpload({ maxDurationSeconds: 60, creator: 'u_1', requireSignedURLs: true, meta: { name: 'a walk' } })),
  '/video': async (request, env) => Response.json(await env.STREAM.video(new URL(request.url).searchParams.get('id')).details()),
  '/videos': async (request, env) => Response.json((await env.STREAM.videos.list()).map(({ uid }) => uid)),
  '/token': async (request, env) => Response.json(await env.STREAM.video(new URL(request.url).searchParams.get('id')).generateToken()),
  '/forget': async (request, env) => Response.json((await env.STREAM.video(new URL(request.url).searchParams.get('id')).delete()) ?? null),
  '/act': async (request, env) => {
    const { action, options } = await request.json()
    return env.BROWSER.quickAction(action, options)
  },
  '/page': () => new Response('<title>Ferns</title><h1>Ferns</h1><p>They like <b>shade</b>.</p><ul><li>water<li>light</ul>', { headers: { 'content-type': 'text/html' } }),
  '/many': async (request, env) => Response.json(await env.EVENTS.writeDataPoint({ blobs: Array(21).fill('x') })),
}
export default {
  async fetch(request, env) {
    try {
      return await routes[new URL(request.url).pathname](request, env)
    } catch (error) {
      return Response.json({ error: error.message }, { status: 500 })
    }
  },
}`

const hasChromium = existsSync(testBrowserPath())

describe('Cloudflare products that a worker uses through bindings', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_TIME_SCALE: '0.05' })
    const bindings = [
      { type: 'analytics_engine', name: 'EVENTS', dataset: 'shop_events' },
      { type: 'ai', name: 'AI' },
      { type: 'stream', name: 'STREAM' },
      { type: 'browser', name: 'BROWSER' },
    ]
    const answer = await deployWorker(world, 'shop', workerUpload(SOURCE, { bindings }))
    assert.ok(answer.success, JSON.stringify(answer.errors))
  })
  after(() => world.remove())

  const fetchJson = async (path: string) => {
    const { text } = await askApp(world, 'shop', path)
    return JSON.parse(text)
  }
  const callApi = (path: string, init: RequestInit) =>
    fetch(`${world.restUrl}/cloudflare/client/v4/accounts/${world.account.id}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${world.account.token}` },
    })

  test('Analytics Engine stores the data points that a worker writes, and SQL reads them', async () => {
    assert.equal(await fetchJson('/point'), 'written')
    const sql = `SELECT index1 AS name, sum(_sample_interval) AS n, max(double1) AS most FROM shop_events
      WHERE timestamp > NOW() - INTERVAL '1' DAY GROUP BY name`
    const readRows = async () => {
      const answer = await callApi('/analytics_engine/sql', { method: 'POST', body: sql })
      return answer.ok ? ((await answer.json()) as { data: { n: string }[] }).data : []
    }
    // Wait for the data points, because the worker responds before they are written.
    await waitUntil(async () => (await readRows())[0]?.n === '50')
    assert.deepEqual(await readRows(), [{ name: 'sale', n: '50', most: 49 }])
    assert.match(JSON.stringify(await fetchJson('/many')), /at most 20 blobs/)
    const wrong = await callApi('/analytics_engine/sql', { method: 'POST', body: 'SELECT' })
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /at position 6/)
  })

  test('Workers AI returns text, streams, JSON for a schema and vectors, even over REST and through a gateway', async () => {
    assert.match(JSON.stringify(await fetchJson('/text')), /2001: .*AI Gateway/)
    assert.ok((await api(world, 'POST', '/ai-gateway/gateways', { id: 'shop' })).success)
    assert.partialDeepStrictEqual(await fetchJson('/text'), { response: 'say ferns' })
    assert.partialDeepStrictEqual(await fetchJson('/json'), { response: { name: 'sample' } })
    const { text } = await askApp(world, 'shop', '/stream')
    assert.equal(text, 'data: {"response":"say ferns"}\n\ndata: [DONE]\n\n')
    const { shape, data } = (await fetchJson('/vectors')) as { shape: number[]; data: number[][] }
    assert.deepEqual(shape, [3, 768])
    const similarity = (a: number, b: number) =>
      (data[a] ?? []).reduce((sum, x, i) => sum + x * (data[b]?.[i] ?? 0), 0)
    assert.ok(similarity(0, 1) > similarity(0, 2), 'texts with a word in common are nearer')
    assert.match(JSON.stringify(await fetchJson('/nobody')), /5007: No such model/)

    const rest = await api(world, 'POST', '/ai/run/@cf/meta/llama-3.1-8b-instruct', { prompt: 'hello' })
    assert.partialDeepStrictEqual(rest.result, { response: 'hello' })
    const chat = await callApi('/ai/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({
        model: '@cf/openai/gpt-oss-20b',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    })
    assert.partialDeepStrictEqual(await chat.json(), { choices: [{ message: { content: 'hello' } }] })
    const found = await api(world, 'GET', '/ai/models/search?task=Text%20Embeddings')
    assert.ok((found.result as { name: string }[]).some(({ name }) => name === '@cf/baai/bge-m3'))
  })

  test("a worker calls models of other providers through its AI gateway, and gets an error without the provider's API key", async () => {
    assert.match(JSON.stringify(await fetchJson('/elsewhere')), /did not provide an API key/)
    const answer = await fetchJson('/elsewhere?key')
    assert.partialDeepStrictEqual(answer, { choices: [{ message: { content: 'say ferns' } }] })
  })

  test('an AI gateway is created once, enforces its rate limit, and is listed and removed', async () => {
    const at = '/ai-gateway/gateways'
    assert.equal((await api(world, 'POST', at, { id: 'shop' })).status, 409)
    assert.equal((await api(world, 'POST', at, { id: 'Not a slug' })).status, 400)
    const limited = { rate_limiting_interval: 3600, rate_limiting_limit: 1 }
    assert.partialDeepStrictEqual((await api(world, 'PUT', `${at}/shop`, limited)).result, {
      id: 'shop',
      ...limited,
    })
    await fetchJson('/text')
    assert.match(JSON.stringify(await fetchJson('/text')), /2003: Rate limited/)
    assert.equal(((await api(world, 'GET', at)).result as object[]).length, 1)
    assert.ok((await api(world, 'DELETE', `${at}/shop`)).success)
    assert.equal((await api(world, 'GET', `${at}/shop`)).status, 404)
  })

  test('a Stream video has an upload link, a processing time, playback with a token, and can be deleted', async () => {
    type Link = { uid: string; uploadURL: string }
    type Film = { status: { state: string; errorReasonCode: string }; duration: number; creator: string }
    const readFilm = (uid: string) => fetchJson(`/video?id=${uid}`) as Promise<Film>
    const sendBytes = async ({ uploadURL }: Link, bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      form.set('file', new File([bytes], 'film.mp4'))
      return (await fetch(uploadURL, { method: 'POST', body: form })).status
    }
    const link = (await fetchJson('/upload-link')) as Link
    assert.equal((await readFilm(link.uid)).status.state, 'pendingupload')
    assert.equal(await sendBytes(link, mp4(42)), 200)
    assert.equal(await sendBytes(link, mp4(42)), 400, 'a link is good once')
    await waitUntil(async () => (await readFilm(link.uid)).status.state === 'ready')
    assert.partialDeepStrictEqual(await readFilm(link.uid), { duration: 42, creator: 'u_1' })

    const watchVideo = (id: string, headers = {}) =>
      fetch(`${world.restUrl}/cloudflare/stream/${id}/watch`, { headers })
    assert.equal((await watchVideo(link.uid)).status, 404, 'it asks for a token')
    const token = (await fetchJson(`/token?id=${link.uid}`)) as string
    assert.deepEqual(await (await watchVideo(token)).bytes(), mp4(42))
    const part = await watchVideo(token, { range: 'bytes=4-7' })
    assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
    assert.equal((await watchVideo(`${token}x`)).status, 404)

    const long = (await fetchJson('/upload-link')) as Link
    assert.equal(await sendBytes(long, mp4(61)), 200)
    await waitUntil(async () => (await readFilm(long.uid)).status.state === 'error')
    assert.equal((await readFilm(long.uid)).status.errorReasonCode, 'ERR_DURATION_EXCEED_CONSTRAINT')
    const text = (await fetchJson('/upload-link')) as Link
    await sendBytes(text, new TextEncoder().encode('no film'))
    await waitUntil(async () => (await readFilm(text.uid)).status.errorReasonCode === 'ERR_NON_VIDEO')

    const found = (await api(world, 'GET', '/stream?status=ready')).result as { uid: string }[]
    assert.deepEqual(
      found.map(({ uid }) => uid),
      [link.uid],
    )
    assert.partialDeepStrictEqual((await api(world, 'GET', '/stream/storage-usage')).result, {
      videoCount: 3,
    })
    await fetchJson(`/forget?id=${link.uid}`)
    assert.match(JSON.stringify(await readFilm(link.uid)), /not found/)
    assert.equal((await watchVideo(token)).status, 404)
    assert.equal(((await fetchJson('/videos')) as string[]).length, 2)
  })

  describe('browser rendering', () => {
    const runAction = (action: string, options: object) => postApp(world, 'shop', '/act', { action, options })
    const resultText = async (answer: AppResponse) =>
      (JSON.parse(answer.body.toString()) as { result: string }).result
    const pageUrl = () => `http://shop.${world.account.subdomain}.localhost:${world.appsPort}/page`

    test(
      'a page of the app is rendered as Markdown, HTML, a picture and a PDF',
      { skip: !hasChromium && 'no browser here' },
      async () => {
        assert.equal(
          await resultText(await runAction('markdown', { url: pageUrl() })),
          '# Ferns\n\nThey like **shade**.\n\n- water\n- light\n',
        )
        assert.match(
          await resultText(
            await runAction('content', { html: '<p id=x></p><script>x.textContent = 1 + 1</script>' }),
          ),
          /<p id="x">2<\/p>/,
        )
        const picture = await runAction('screenshot', {
          url: pageUrl(),
          viewport: { width: 320, height: 200 },
        })
        assert.equal(picture.type, 'image/png')
        assert.deepEqual([picture.body.readUInt32BE(16), picture.body.readUInt32BE(20)], [320, 200])
        const print = await runAction('pdf', {
          html: '<h1>Bill</h1>',
          pdfOptions: { format: 'a4', landscape: true },
        })
        assert.equal(print.type, 'application/pdf')
        assert.match(print.body.toString('latin1'), /^%PDF-[\s\S]*\/MediaBox ?\[0 0 84[12]/)
        const rest = await callApi('/browser-rendering/markdown', {
          method: 'POST',
          body: JSON.stringify({ url: pageUrl() }),
        })
        assert.match(((await rest.json()) as { result: string }).result, /^# Ferns/)
      },
    )

    test(
      'a page rendered by the browser of the Browser Rendering emulator reaches neither this machine nor its files',
      { skip: !hasChromium && 'no browser here' },
      async () => {
        const inside = `${world.restUrl}/cloudflare/client/v4/probe-of-a-page`
        for (const url of [inside, 'http://localhost:4310/', 'http://[::1]/', 'http://169.254.169.254/']) {
          const shown = await runAction('content', { url })
          assert.match(shown.body.toString(), /cannot be reached|ERR_/, url)
        }
        for (const url of ['file:///etc/passwd', 'chrome://version', 'javascript:1']) {
          assert.equal((await runAction('content', { url })).status, 400, url)
        }
        const framed = `<iframe src="${inside}"></iframe><script>fetch('${inside}', { mode: 'no-cors' })</script>`
        assert.equal((await runAction('screenshot', { html: framed })).status, 200)
        const { entries } = (await control(world, 'GET', '/journal?since=0')) as {
          entries: { path: string }[]
        }
        assert.ok(entries.length > 0)
        assert.ok(entries.every(({ path }) => !path.endsWith('/probe-of-a-page')))
      },
    )

    test(
      'allowRequestPattern blocks non-matching requests of a rendered page, and a page that never loads times out',
      { skip: !hasChromium && 'no browser here' },
      async () => {
        const refused = await runAction('content', {
          url: pageUrl(),
          allowRequestPattern: ['^https://only\\.test/'],
        })
        assert.match(refused.body.toString(), /ERR_BLOCKED_BY_CLIENT/)
        const endless = await runAction('content', {
          html: '<script>for(;;);</script>',
          gotoOptions: { timeout: 500 },
        })
        assert.match(endless.body.toString(), /did not finish loading within 500 ms/)
        assert.equal((await runAction('content', { html: '<p>fine</p>' })).status, 200, 'the next one works')
      },
    )
  })

  test('without an installed browser, the rendering error says what to install', async () => {
    const bare = await startTestWorld({ SLIPWAY_CHROMIUM: '/nowhere' })
    try {
      const at = `${bare.restUrl}/cloudflare/client/v4/accounts/${bare.account.id}/browser-rendering/pdf`
      const answer = await fetch(at, {
        method: 'POST',
        headers: { authorization: `Bearer ${bare.account.token}` },
        body: JSON.stringify({ html: '<p>x</p>' }),
      })
      assert.equal(answer.status, 501)
      assert.match(await answer.text(), /install chromium or set SLIPWAY_CHROMIUM/)
    } finally {
      await bare.remove()
    }
  })
})

interface AppResponse {
  status: number
  type: string
  body: Buffer
}

function postApp(world: TestWorld, worker: string, path: string, body: object): Promise<AppResponse> {
  const host = `${worker}.${world.account.subdomain}.localhost:${world.appsPort}`
  return new Promise((resolve, reject) => {
    const asked = request(
      { port: world.appsPort, host: '127.0.0.1', path, method: 'POST', headers: { host } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            type: res.headers['content-type'] ?? '',
            body: Buffer.concat(chunks),
          }),
        )
        res.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}
