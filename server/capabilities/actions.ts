// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { actions as ai } from './ai/actions.ts'
import { actions as auth } from './auth/actions.ts'
import { actions as call } from './call/actions.ts'
import { actions as email } from './email/actions.ts'
import { actions as flow } from './flow/actions.ts'
import { actions as guard } from './guard/actions.ts'
import { actions as pay } from './pay/actions.ts'
import { actions as queue } from './queue/actions.ts'
import { actions as render } from './render/actions.ts'
import { actions as schedule } from './schedule/actions.ts'
import { actions as video } from './video/actions.ts'
import type { CapabilityActions } from './capability-actions.ts'

export const ACTIONS: Readonly<Partial<Record<CapabilityKey, CapabilityActions>>> = {
  auth,
  email,
  ai,
  pay,
  call,
  schedule,
  queue,
  flow,
  render,
  video,
  guard,
}
