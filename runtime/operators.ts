// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { operator as ai } from './ai/operator.ts'
import { operator as auth } from './auth/operator.ts'
import { operator as call } from './call/operator.ts'
import { operator as data } from './data/operator.ts'
import { operator as email } from './email/operator.ts'
import { operator as files } from './files/operator.ts'
import { operator as meter } from './meter/operator.ts'
import { operator as pay } from './pay/operator.ts'
import { operator as render } from './render/operator.ts'
import { operator as schedule } from './schedule/operator.ts'
import { operator as team } from './team/operator.ts'
import { operator as video } from './video/operator.ts'
import type { OperatorRoutes } from './kernel/worker/mount.ts'

export const OPERATORS: Readonly<Record<string, OperatorRoutes>> = {
  auth,
  team,
  data,
  files,
  email,
  ai,
  pay,
  call,
  schedule,
  render,
  video,
  meter,
}
