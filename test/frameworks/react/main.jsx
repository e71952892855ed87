import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Field } from './field.tsx';

function App() {
  const [state, setState] = useState(globalThis.state);
  const update = (change) => setState((state) => ({ ...state, ...change }));
  Object.assign(globalThis, { state, update });
  const { isShown, committed, ...props } = state;
  if (!isShown) return null;
  return <Field {...props} onValue={(value) => update({ value })} onCommit={(committed) => update({ committed })} />;
}

createRoot(document.querySelector('#app')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
