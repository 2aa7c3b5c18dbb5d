import type { ListRunEventsResponses } from './client/types.gen.ts'

// The frames are declared once, by the service (server/agent/frames.ts). These names select from what is generated
// of it. Unknown types and fields of a newer service pass through untouched.
type Frame = ListRunEventsResponses[200]['data'][number]

/** A frame without its place in the run. */
export type BuildFrame = Frame extends infer F ? (F extends { type: 'snapshot' } ? F : Omit<F, 'seq'>) : never
type FrameOf<Type extends BuildFrame['type']> = Extract<BuildFrame, { type: Type }>

/** A frame with its place in the run, counted from 1; `resuming` has none. */
export type SequencedFrame = BuildFrame & { seq?: number }

export type ToolFrame = FrameOf<'tool'>
/** Contains all events up to `seq`, once the service no longer keeps them one by one. */
export type SnapshotFrame = FrameOf<'snapshot'>
export type DoneFrame = FrameOf<'done'>
export type Usage = SnapshotFrame['usage']
export type CheckError = FrameOf<'check'>['errors'][number]
export type Question = FrameOf<'question'>['questions'][number]
export type FileChange = SnapshotFrame['files'][number]
