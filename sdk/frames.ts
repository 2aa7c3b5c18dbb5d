import type { ListRunEventsResponses } from './client/types.gen.ts'

// Frames are the messages of a build's event stream. The service declares them (server/agent/frames.ts), and
// these types are derived from the generated client. Frame types and fields that a newer service adds pass
// through unchanged.
type RunFrame = ListRunEventsResponses[200]['data'][number]

/** A frame without `seq`, its number in the run. */
export type BuildFrame = RunFrame extends infer F
  ? F extends { type: 'snapshot' }
    ? F
    : Omit<F, 'seq'>
  : never
type FrameOf<Type extends BuildFrame['type']> = Extract<BuildFrame, { type: Type }>

/** A frame with its number in the run, counted from 1. A `resuming` frame has no number. */
export type SequencedFrame = BuildFrame & { seq?: number }

export type ToolFrame = FrameOf<'tool'>
/** Replaces all frames up to `seq` when the service no longer stores them one by one. */
export type SnapshotFrame = FrameOf<'snapshot'>
export type DoneFrame = FrameOf<'done'>
export type ErrorFrame = FrameOf<'error'>
export type Usage = SnapshotFrame['usage']
export type CheckError = FrameOf<'check'>['errors'][number]
export type Question = FrameOf<'question'>['questions'][number]
export type FileChange = SnapshotFrame['files'][number]
