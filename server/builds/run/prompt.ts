import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import type { ModelMessage } from 'ai'
import { type FileRef, userMessage } from '../../agent/loop/files.ts'
import {
  appGuide,
  capabilityGuide,
  capabilityLines,
  documentedCapabilities,
} from '../../agent/prompts/guides.ts'
import { materialTag } from '../../agent/prompts/material.ts'
import { PACKAGES_FILE } from '../../agent/source/packages-file.ts'
import { type AppTree, starterTree } from '../../agent/source/tree.ts'
import { describeFile } from '../../agent/tools/read.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { type PreviewError, describePreviewErrors } from '../preview-errors.ts'
import { readFileSync } from 'node:fs'

const SNAPSHOT_BYTES_MAX = 60_000
const FILES_SHOWN_MAX = 16
/** The model is shown larger files only as lists of their exports. */
const FILE_BYTES_MAX = 6_000

export interface SnapshotInput {
  projectId: string
  projectName: string
  tree: AppTree
  /** Whether the tree is the starter tree of every new app. */
  isNew: boolean
  enabled: string[]
  /** Recently changed paths, newest first: shown before others when not everything fits. */
  recentPaths: string[]
}

export interface OpeningInput extends SnapshotInput {
  ticket: { title: string; type: string; body: string }
  /** Titles and bodies of the tickets above the built one, nearest first. */
  ancestors: { title: string; body: string }[]
  /** Blocks about related tickets, and about the plan in which the ticket was written. */
  around: string[]
  /** Lines that tell whether the app is live, and with how many records. */
  live: string[]
  /** A description of the ticket's last run; null for its first build. */
  lastRun: string | null
  /** Errors that the preview reported since the ticket's last build. */
  previewErrors: PreviewError[]
  files: FileRef[]
  today: string
}

export interface PromptOpening {
  messages: ModelMessage[]
  /** Files that the model may replace without reading them, because their text is in the messages or in the guide to apps. */
  shown: string[]
}

/**
 * Returns the two messages with which a run begins: the current project, and the ticket. Both are created once and
 * stored with the run, so that every model call begins with the same bytes. Their format is documented in
 * docs/guides/build-prompt.md. The scaffold model, the stand-in for a language model, parses these messages.
 */
export function buildOpening(input: OpeningInput): PromptOpening {
  const tag = materialTag(input.projectId)
  const { message, shown } = buildSnapshot(input)
  const ticket = [
    ...input.around,
    ...input.ancestors.toReversed().map((item) => tag('parent', {}, `${item.title}\n\n${item.body}`.trim())),
    ...(input.live.length === 0 ? [] : [tag('live-app', {}, input.live.join('\n'))]),
    ...(input.lastRun === null ? [] : [tag('last-run', {}, input.lastRun)]),
    ...(input.previewErrors.length === 0
      ? []
      : [tag('preview-errors', {}, describePreviewErrors(input.previewErrors))]),
    tag('ticket', { type: input.ticket.type }, `${input.ticket.title}\n\n${input.ticket.body}`.trim()),
    `Today is ${input.today}. Build this ticket.`,
  ]
  return { messages: [message, userMessage(ticket.join('\n'), input.files)], shown }
}

/**
 * Returns a message that describes the current project. A run begins with this message, and a shortened conversation
 * begins with it again.
 */
export function buildSnapshot(input: SnapshotInput): { message: ModelMessage; shown: string[] } {
  const tag = materialTag(input.projectId)
  const starters = untouchedFiles(input.tree)
  const shown = shownFiles(input, starters)
  const blocks = [
    tag('project', { name: input.projectName }, describeProject(input, { starters, shown })),
    ...shown.map((path) => tag('file', { path }, (input.tree.get(path) ?? '').replace(/\n$/, ''))),
  ]
  return { message: { role: 'user', content: blocks.join('\n') }, shown: [...shown, ...starters] }
}

/** Unchanged starter files: the guide to apps describes the files that every app starts with, so their text is not repeated. */
function untouchedFiles(tree: AppTree): string[] {
  const starter = starterTree('')
  return [...tree.keys()].filter((path) => path !== 'app.json' && tree.get(path) === starter.get(path)).sort()
}

function describeProject(
  input: SnapshotInput,
  { starters, shown }: { starters: string[]; shown: string[] },
): string {
  const files = [...input.tree]
    .filter(([path]) => !starters.includes(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => describeFile(path, text) + (shown.includes(path) ? '' : ', not shown'))
  return [
    input.isNew
      ? 'Nothing is built yet: change or replace the files every app starts from.'
      : 'The app as it stands.',
    `Capabilities that are on: ${input.enabled.length === 0 ? 'none' : input.enabled.join(', ')}`,
    ...(starters.length === 0 ? [] : [`As every app starts with them: ${starters.join(', ')}`]),
    'Files:',
    ...files,
  ].join('\n')
}

/**
 * Returns the files whose text is in the prompt, so that most builds need not read them. The model can read the other
 * files with a tool.
 */
function shownFiles(input: SnapshotInput, starters: string[]): string[] {
  const sizeOf = (path: string) => Buffer.byteLength(input.tree.get(path) ?? '')
  // The lock file of the npm packages is left out, because the list of packages contains the same information
  // in one line.
  const isLeftOut = (path: string) => starters.includes(path) || path === PACKAGES_FILE
  const isLarge = (path: string) => path !== 'app.json' && sizeOf(path) > FILE_BYTES_MAX
  const paths = [...input.tree.keys()].filter((path) => !isLeftOut(path) && !isLarge(path)).sort()
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0)
  if (bytes <= SNAPSHOT_BYTES_MAX) return paths
  const shown: string[] = []
  let used = 0
  for (const path of ['app.json', ...input.recentPaths, ...paths]) {
    const size = sizeOf(path)
    if (!paths.includes(path) || shown.includes(path) || used + size > SNAPSHOT_BYTES_MAX) continue
    used += size
    shown.push(path)
    if (shown.length === FILES_SHOWN_MAX) break
  }
  return shown
}

const PROMPT_FILE = new URL('../../agent/prompts/build.md', import.meta.url)

/**
 * Returns the instructions of a build: the prompt, the guide to apps, and the guides of the enabled capabilities. Describes in one line
 * each capability that the run may still enable; the tool that enables the capability returns its guide. The instructions do not depend
 * on time or chance, so that providers can cache them.
 */
export function buildInstructions(enabled: Iterable<string>, mayEnable: boolean): string {
  const documented = documentedCapabilities()
  const always = CAPABILITY_KEYS.filter((key) => capabilityOf(key).isGuideAlwaysShown)
  const shown = new Set([...enabled, ...(mayEnable ? always : [])])
  const guides = documented.filter((key) => shown.has(key)).map((key) => capabilityGuide(key) ?? '')
  const others = mayEnable ? documented.filter((key) => !shown.has(key)) : []
  const parts = [readFileSync(PROMPT_FILE, 'utf8').trim(), appGuide(), ...guides]
  if (others.length > 0)
    parts.push(
      `# More capabilities\n\nenable_capability switches one on and returns its guide, also of one that is on already.\n\n${capabilityLines(others)}`,
    )
  return parts.join('\n\n')
}
