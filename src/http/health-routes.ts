// Routes about the state of the installation: what is wrong, how the log grows, what models cost.
import { defineRoute, type Route } from './route.ts';
import { costAnswer, diagnosisAnswer, growthAnswer, recordingAnswer } from './schemas/health.ts';

const doctor = defineRoute({
  method: 'get',
  path: '/api/doctor',
  summary:
    'What `annals doctor` says. It measures what a hook costs, so it takes a few seconds; it repairs nothing.',
  answer: diagnosisAnswer,
  async run(_, { annals, installation, now }) {
    const { diagnosisOf } = await import('../doctor/diagnosis.ts');
    const { ok, checks } = await diagnosisOf({ ...installation, open: async () => annals, now, fix: false });
    return { ok, checks: [...checks] };
  },
});

const recording = defineRoute({
  method: 'get',
  path: '/api/recording',
  summary: 'Whether what agents do now is recorded, and what keeps it from being recorded.',
  answer: recordingAnswer,
  async run(_, { installation, control }) {
    const { recordingOf } = await import('../doctor/recording.ts');
    return recordingOf(installation, control.intake());
  },
});

const growth = defineRoute({
  method: 'get',
  path: '/api/growth',
  summary: 'Events and bytes of the log by day. Of a long log they are estimated from a sample.',
  answer: growthAnswer,
  run: (_, { annals }) => annals.growth() as never,
});

const observerCost = defineRoute({
  method: 'get',
  path: '/api/observer/cost',
  summary: 'What models were asked and what it cost: by day, model and project, and the budget.',
  answer: costAnswer,
  run: (_, { annals }) => annals.observerCost(),
});

export const healthRoutes: readonly Route[] = [doctor, recording, growth, observerCost];
