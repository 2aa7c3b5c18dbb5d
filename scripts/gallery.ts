import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { callsOf, filesAfter, manifestIn, openingOf } from '../local/model/scaffold/ticket-fixture.ts'
import { starterTree } from '../server/agent/source/tree.ts'
import { type CloudApp, openCloudApp } from '../server/releases/testing.ts'
import { launchBrowser, openPage } from '../test/browser/browser.ts'
import { type GalleryApp, GALLERY_APPS } from './gallery/apps.ts'
import { reportStep, ROOT } from './lib.ts'

/**
 * `npm run gallery`: takes the screenshots of `docs/gallery`. The built-in model, a fixed program and not an AI, builds an app from each
 * sentence, and sample records are added. Each app is shown on a wide screen, in the dark theme and on a phone. `npm run gallery -- plants`
 * takes the screenshots of one app. `-- --before`, run in a worktree of an older commit, takes pictures of how the apps looked then.
 */
const GALLERY_FOLDER = join(ROOT, 'docs/gallery')
const DESKTOP_VIEWPORT = { width: 1280, height: 800 }
const PHONE_VIEWPORT = { width: 390, height: 800 }
const WEBP_QUALITY = 62

const [...given] = process.argv.slice(2)
const isBeforePicture = given.includes('--before')
const screenNames = given.filter((one) => !one.startsWith('--'))

mkdirSync(GALLERY_FOLDER, { recursive: true })
const [cloud, browser] = await Promise.all([openCloudApp(), launchBrowser()])
try {
  for (const shown of GALLERY_APPS)
    if (screenNames.length === 0 || screenNames.includes(shown.name))
      await photographApp(cloud, browser, shown)
} finally {
  await browser.close()
  await cloud.close()
}
if (!isBeforePicture) writeFileSync(join(GALLERY_FOLDER, 'README.md'), galleryReadme())
process.exit(0)

async function photographApp(cloud: CloudApp, browser: Browser, shown: GalleryApp): Promise<void> {
  const began = performance.now()
  const { person, path, project } = await cloud.personWithProject('Gallery')
  await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
  const start = starterTree('Gallery')
  const files = filesAfter(start, callsOf(openingOf(shown.sentence, start)))
  await cloud.build(project.id, files)
  const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
  assert.equal(shipped.error, undefined)
  const [collection = ''] = Object.keys(manifestIn(files).collections ?? {})
  const { page, context } = await openPage(browser, {
    viewport: DESKTOP_VIEWPORT,
    colorScheme: 'light',
    locale: 'en-GB',
  })
  await page.goto(shipped.data.url)
  await addRecords(page, collection, shown)
  const [first] = shown.records[0] ?? []
  await page.getByText(String(first)).first().waitFor()
  if (isBeforePicture) await savePicture(page, `${shown.name}-before`)
  else {
    await savePicture(page, shown.name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await savePicture(page, `${shown.name}-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE_VIEWPORT)
    await savePicture(page, `${shown.name}-phone`)
  }
  await context.close()
  reportStep(true, shown.name, performance.now() - began)
}

/** Adds the records with the request that the app's own pages send. The last record is added first, because lists begin with the newest. */
async function addRecords(page: Page, collection: string, { fields, records }: GalleryApp): Promise<void> {
  for (const record of records.toReversed()) {
    const values = Object.fromEntries(fields.map((field, i) => [field, record[i]]))
    const body = { mutationId: crypto.randomUUID(), ops: [{ op: 'create', collection, fields: values }] }
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    // Send the request from the page, because Node does not resolve names below localhost.
    const refused = await page.evaluate(
      `fetch('/_app/data/mutate', ${JSON.stringify(init)}).then(async (answer) => (answer.ok ? '' : answer.text()))`,
    )
    assert.equal(refused, '')
  }
}

async function savePicture(page: Page, name: string): Promise<void> {
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)',
  )
  const session = await page.context().newCDPSession(page)
  // Take a WebP through the browser's protocol, because Playwright writes none. A WebP has a third of the size of a PNG.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY })
  writeFileSync(join(GALLERY_FOLDER, `${name}.webp`), Buffer.from(data, 'base64'))
}

function galleryReadme(): string {
  const files = new Set(readdirSync(GALLERY_FOLDER))
  const image = (name: string, alt: string, width: number) =>
    files.has(`${name}.webp`) ? `<img src="${name}.webp" width="${width}" alt="${alt}" />` : ''
  const sections = GALLERY_APPS.map(({ name, sentence }) => {
    const rows = [
      image(`${name}-before`, `The app before it had a look of its own`, 400),
      image(name, `The app on a desk`, 400),
      image(`${name}-dark`, `The app in the dark theme`, 400),
      image(`${name}-phone`, `The app on a phone`, 180),
    ]
    return `## ${sentence}\n\n${rows.filter((row) => row !== '').join('\n')}\n`
  })
  return `# Gallery

What the built-in scaffold model makes of ten sentences, without an AI model: each app as it is shipped, with a few sample
records. The first picture of a row is the same sentence before apps had palettes, icons and page shapes (commit a1449916);
then follow the desk, the dark theme and the phone. Made by \`npm run gallery\`.

${sections.join('\n')}`
}
