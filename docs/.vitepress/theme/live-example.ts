import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, onUnmounted, ref, watch } from 'vue';
import type { ExampleEditor } from './example-editor.ts';

/**
 * Shows an expression in an editor, with its result on a record. The editor loads when the example comes into view;
 * until then, and without JavaScript, the expression is plain text.
 */
export const LiveExample = defineComponent({
  props: { source: { type: String, required: true }, record: { type: String, required: true } },
  setup(props, { slots }) {
    const { isDark } = useData();
    const parent = ref<HTMLElement>();
    const isLive = ref(false);
    let editor: ExampleEditor | undefined;
    let observer: IntersectionObserver | undefined;

    async function show(): Promise<void> {
      observer?.disconnect();
      const { ExampleEditor } = await import('./example-editor.ts');
      if (parent.value === undefined || parent.value === null) return;
      const pageOf = (code: string) => withBase(`/diagnostics/${code}.html`);
      editor = new ExampleEditor(parent.value, props.source, props.record, isDark.value, pageOf);
      isLive.value = true;
    }

    onMounted(() => {
      observer = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void show();
      });
      if (parent.value) observer.observe(parent.value);
    });
    onUnmounted(() => {
      observer?.disconnect();
      editor?.destroy();
    });
    watch(isDark, (dark) => editor?.setDark(dark));

    return () =>
      h('div', { class: 'live-example' }, [isLive.value ? undefined : slots.default?.(), h('div', { ref: parent })]);
  },
});
