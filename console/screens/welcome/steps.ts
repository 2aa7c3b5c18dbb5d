import type { Connections, ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { welcomeText as words } from '../../text/welcome.en.ts'

export type StepState = 'done' | 'todo' | 'failed'

export interface WelcomeStep {
  state: StepState
  sentence: string
  action: { label: string; to: string } | null
}

/** The step that decides where apps will run. The local cloud (the emulator on this machine) also counts as done. */
export function cloudStep({ status, profile, account }: Connections['cloudflare']): WelcomeStep {
  const to = href.connections()
  if (status === 'none') return todoStep(words.cloud.todo, { label: words.connect, to })
  if (status === 'needs_reconnect') return failedStep(words.cloud.refused, to)
  if (profile === 'local') return doneStep(words.cloud.local, { label: words.replace, to })
  if (account === null) return todoStep(words.cloud.choose, { label: words.chooseAccount, to })
  return doneStep(account.name === null ? words.cloud.unnamed : words.cloud.own(account.name), null)
}

/** The step that decides where the code is backed up. It is the only optional step. */
export function codeStep({ status, profile, login }: Connections['github']): WelcomeStep {
  const to = href.connections()
  if (status === 'none') return todoStep(words.code.todo, { label: words.connect, to })
  if (status === 'needs_reconnect') return failedStep(words.code.refused, to)
  if (profile === 'local') return doneStep(words.code.local, { label: words.replace, to })
  return doneStep(login === null ? words.code.unnamed : words.code.own(login), null)
}

/** The step that decides which model writes the code. The built-in program (`scaffold`) also counts as done. */
export function modelStep(models: readonly ModelConnection[]): WelcomeStep {
  const to = href.models()
  const model = models.find(({ isDefault }) => isDefault) ?? models[0]
  if (!model) return todoStep(words.model.todo, { label: words.connect, to })
  if (model.provider === 'scaffold') return doneStep(words.model.scaffold, { label: words.replace, to })
  return doneStep(words.model.own(model.label, model.defaultModel), null)
}

export function sentenceStep(project: { id: string; name: string } | undefined): WelcomeStep {
  if (!project) return todoStep(words.sentence.todo, null)
  const action = { label: words.sentence.open, to: href.project(project.id) }
  return doneStep(words.sentence.done(project.name), action)
}

/** Whether every required step is done. The code host is not required. */
export const isWelcomeComplete = ({
  cloud,
  model,
  sentence,
}: Record<'cloud' | 'model' | 'sentence', WelcomeStep>): boolean =>
  [cloud, model, sentence].every(({ state }) => state === 'done')

const doneStep = (sentence: string, action: WelcomeStep['action']): WelcomeStep => ({
  state: 'done',
  sentence,
  action,
})
const todoStep = (sentence: string, action: WelcomeStep['action']): WelcomeStep => ({
  state: 'todo',
  sentence,
  action,
})
const failedStep = (sentence: string, to: string): WelcomeStep => ({
  state: 'failed',
  sentence,
  action: { label: words.again, to },
})
