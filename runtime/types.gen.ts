// The open types with which the platform is type-checked without an app. In an app, this file is replaced by the
// types generated from its `app.json`.
export interface Collections {
  [name: string]: { record: AnyRecord; input: Record<string, unknown>; indexed: string; unique: string }
}
interface AnyRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}
/** The type of the answer of each `ai` task, by the name of the task. */
// eslint-disable-next-line typescript/no-explicit-any -- the types of an app say it
export type AiTasks = Record<string, any>
export type AiTaskName = keyof AiTasks & string
export type MeterKey = string
export type TeamRole = string
export type QueueName = string
export type FlowName = string
export type RoomName = string
export type EventName = string
export type ProviderId = string
export type JobName = string
export type PagePath = string
